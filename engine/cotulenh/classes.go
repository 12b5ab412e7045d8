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

var classes = func() (table [32]class) {
	for kind := range uint8(numKinds) {
		table[kind] = classOf(Type(kind>>1), kind&heroicBit != 0)
	}
	return table
}()

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
