package cotulenh

// class groups the kinds that stacks and air defense stop in the same way.
type class uint8

const (
	groundClass    class = iota // the first stack of a ray stops it
	rangedClass                 // the first stack stops moves and joins, nothing stops captures
	navyClass                   // the first navy stops moves and joins, nothing stops captures
	airClass                    // only air defense stops it
	heroicAirClass              // nothing stops it
	commanderClass              // stacks and exposed squares stop it
)

// kindScope is what the scope of a kind does not depend on the square for.
type kindScope struct {
	class    class
	captures rays // where it captures, or would if a navy led the target; terrain does not block captures
	joins    rays // where it joins own stacks, if an air force
}

var kindScopes = func() (table [32]kindScope) {
	for kind := range uint8(numKinds) {
		table[kind] = kindScope{
			class:    classOf(Type(kind>>1), kind&heroicBit != 0),
			captures: raysAnywhere(kind, canCapture|canCaptureNavy),
			joins:    raysAnywhere(kind, canJoin),
		}
	}
	return table
}()

// raysAnywhere returns the targets of a kind on any square that have one of the flags.
func raysAnywhere(kind, flags uint8) (set rays) {
	for _, sq := range boardSquares {
		set |= raysWith(kind, sq, flags)
	}
	return set
}

func classOf(t Type, heroic bool) class {
	switch t {
	case Artillery, Missile:
		return rangedClass
	case Navy:
		return navyClass
	case Commander:
		return commanderClass
	case AirForce:
		if heroic {
			return heroicAirClass
		}
		return airClass
	}
	return groundClass
}
