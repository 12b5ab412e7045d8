package cotulenh

// scope is what a mover can reach among the squares of its rays.
type scope struct {
	quiet rays // empty squares that it may enter
	noisy rays // stacks that it may capture or join, apart from who owns them
	joins rays // where it may join an own stack
}

// scope returns the scope of a mover other than a commander. near holds the stacks around
// its square.
func (p *Position) scope(from, kind uint8, near rays) scope {
	k := &kindScopes[kind&31]
	moves := kindMoves[kind&31][from]
	switch k.class {
	case groundClass:
		first := near.first()
		return scope{moves & first.before(), first & (moves | k.captures), moves}
	case rangedClass:
		first := near.first()
		joins := moves & first
		return scope{moves & first.before(), joins | near&k.captures, joins}
	case navyClass:
		return scope{moves &^ near & p.beforeNavies(from, moves&near), near & (moves | k.captures), moves}
	case airClass:
		return scope{moves &^ near & p.safeFlights(from), near & k.captures, k.joins}
	}
	return scope{moves &^ near, near & k.captures, k.joins}
}

// beforeNavies returns the squares before the first navy of each ray among some stacks.
func (p *Position) beforeNavies(from uint8, stacks rays) rays {
	navies := rays(0)
	for ; stacks != 0; stacks &= stacks - 1 {
		i := stacks.next()
		if infos[p.cells[from+raySquares[i]]&511].lead == Navy {
			navies |= 1 << i
		}
	}
	return navies.before()
}

// safeFlights returns the squares before the first one of each ray that enemy air defense
// covers.
func (p *Position) safeFlights(from uint8) rays {
	cover := p.coverage(p.turn&1 ^ 1)
	if !overlap(cover, &attackRange[from]) {
		return rayBits
	}
	return raysAround(cover, from).before()
}

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

// kindScope is the part of a scope that is the same on every square.
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

// classOf returns the class of a piece.
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
