package cotulenh

import (
	"slices"

	"selfplay/engine"
)

// scope is what a mover can reach among the squares of its rays.
type scope struct {
	quiet rays // empty squares that it may enter
	noisy rays // stacks of either side that it may capture or join
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

// coverage returns the squares in any zone of a side.
func (p *Position) coverage(side uint8) *squareSet {
	c := &p.cover[side&1]
	if c.known {
		return &c.set
	}
	a := &p.sides[side&1]
	c.set = squareSet{}
	for _, sq := range a.squares[:a.n] {
		if level := infos[p.cells[sq]&511].level; level != 0 {
			c.set.include(&zoneSets[level&3][sq])
		}
	}
	c.known = true
	return &c.set
}

// near returns the stacks around a square.
func (p *Position) near(sq uint8) rays {
	all := p.occupied()
	return raysAround(&all, sq)
}

// occupied returns the squares that hold a stack.
func (p *Position) occupied() squareSet {
	a, b := &p.occ[0], &p.occ[1]
	return squareSet{a[0] | b[0], a[1] | b[1], a[2] | b[2]}
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

// The functions below decide about single targets. They agree with the scopes, target by
// target.

// effectOn returns what a stack that leaves from does on a target, or false if it has no
// pseudo-legal step there.
func (p *Position) effectOn(from, to uint8, moved *stackInfo, t *target) (Effect, bool) {
	kind, in := moved.kinds[0], &infos[p.cells[to]&511]
	switch in.side {
	case sideNone:
		return Normal, t.flags&canMove != 0 && p.canReachEmpty(from, kind, t)
	case p.turn:
		if t.flags&canJoin == 0 {
			return Join, false
		}
		lead := joinLeads[moved.composition&63][in.composition&63]
		return Join, fits[lead&15][to] && p.canReachOwn(from, kind, t)
	}
	return p.effectOnEnemy(from, kind, in, t)
}

// canReachEmpty reports whether the way to an empty target is free.
func (p *Position) canReachEmpty(from, kind uint8, t *target) bool {
	switch Type(kind >> 1) {
	case AirForce:
		return kind&heroicBit != 0 || p.zones[p.turn&1^1].fly(from, t.dir, int(t.dist)) == safe
	case Commander:
		return p.clearBetween(from, t.dir, t.dist) && !p.pathExposed(from, t.dir, t.dist)
	}
	return p.canReachOwn(from, kind, t)
}

// canReachOwn reports whether the way to a target with an own stack is free.
func (p *Position) canReachOwn(from, kind uint8, t *target) bool {
	switch Type(kind >> 1) {
	case AirForce:
		return kind&heroicBit != 0 || p.zones[p.turn&1^1].fly(from, t.dir, int(t.dist)) != destroyed
	case Navy:
		for n := t.dist; n > 1; n-- {
			from += t.dir
			if q := p.cells[from]; q != Empty && infos[q&511].lead == Navy {
				return false
			}
		}
		return true
	case Commander:
		// An occupied square is never exposed.
		return t.dist == 1 || p.clearBetween(from, t.dir, t.dist) && !p.pathExposed(from, t.dir, t.dist-1)
	}
	return t.dist == 1 || p.clearBetween(from, t.dir, t.dist)
}

// effectOnEnemy returns how a mover of this kind captures an enemy stack on a target,
// or false if it cannot.
func (p *Position) effectOnEnemy(from, kind uint8, in *stackInfo, t *target) (Effect, bool) {
	e := captureOrStay(t.flags)
	switch Type(kind >> 1) {
	case AirForce:
		if kind&heroicBit == 0 {
			switch p.zones[p.turn&1^1].fly(from, t.dir, int(t.dist)) {
			case inZone:
				return Suicide, true
			case destroyed:
				return e, false
			}
		}
		return e, true
	case Commander:
		return e, t.flags&canCapture != 0 && !(in.lead == Commander && relations[t.dir].diagonal != 0)
	case Navy:
		return e, t.flags&canCapture != 0 || t.flags&canCaptureNavy != 0 && in.lead == Navy
	case Artillery, Missile:
		return e, t.flags&canCapture != 0
	}
	return e, t.flags&canCapture != 0 && (t.dist == 1 || p.clearBetween(from, t.dir, t.dist))
}

// captureOrStay returns the effect of a capture as terrain decides it.
func captureOrStay(flags uint8) Effect {
	if flags&canStand != 0 {
		return Capture
	}
	return Stay
}

// pseudoLegalFrom appends the pseudo-legal steps of the stack on one square, outside a
// session: each member of a stack alone, then the whole stack.
func (p *Position) pseudoLegalFrom(dst []engine.Move, from uint8, near rays) []engine.Move {
	if size := infos[p.cells[from]&511].size; size > 1 {
		for slot := range size {
			dst = p.generateAll(dst, from, Deploy+slot, near)
		}
	}
	return p.generateAll(dst, from, Whole, near)
}

// sessionSteps appends the pseudo-legal steps of the open session except commit.
func (p *Position) sessionSteps(dst []engine.Move) []engine.Move {
	for slot := range uint8(3) {
		if p.session.rest>>slot&1 == 1 {
			dst = p.memberSteps(dst, slot)
		}
	}
	return dst
}

// memberSteps appends the pseudo-legal steps of one member in the open session: its
// own steps from the origin, and joins to the members that landed earlier. Those joins
// have no range or path condition.
func (p *Position) memberSteps(dst []engine.Move, slot uint8) []engine.Move {
	from := p.session.origin
	member, start := p.cells[from].member(slot), len(dst)
	dst = p.generateAll(dst, from, Deploy+slot, p.near(from))
	for _, to := range p.session.landed {
		if to == NoSquare {
			break
		}
		q := p.cells[to]
		sum := combine(member, q)
		if sum == Empty || infos[sum&511].lead != infos[q&511].lead {
			continue
		}
		if m := newStep(from, to, Deploy+slot, Join); !slices.Contains(dst[start:], m) {
			dst = append(dst, m)
		}
	}
	return dst
}

// Move generation appends quiet and noisy steps to two lists. A quiet step goes to an
// empty square; a noisy step captures or joins. They are kept apart because a quiet
// step of most stacks is legal without a test.

// generate appends the pseudo-legal steps of one mover of the stack on from. near holds the
// stacks around from.
func (p *Position) generate(quiet, noisy []engine.Move, from, mover uint8, near rays) ([]engine.Move, []engine.Move) {
	base, in := newStep(from, 0, mover, Normal), &infos[p.cells[from].moving(mover)&511]
	if in.lead == Commander {
		return p.generateCommander(quiet, noisy, base, in)
	}
	sc := p.scope(from, in.kinds[0], near)
	quiet = appendQuiet(quiet, base, sc.quiet)
	if sc.noisy != 0 {
		noisy = p.appendNoisy(noisy, base, in, sc)
	}
	return quiet, noisy
}

// generateAll is generate with a single list: quiet steps, then noisy ones.
func (p *Position) generateAll(dst []engine.Move, from, mover uint8, near rays) []engine.Move {
	base, in := newStep(from, 0, mover, Normal), &infos[p.cells[from].moving(mover)&511]
	if in.lead == Commander {
		quiet, noisy := p.generateCommander(dst, p.generated[:0], base, in)
		p.generated = noisy
		return append(quiet, noisy...)
	}
	sc := p.scope(from, in.kinds[0], near)
	return p.appendNoisy(appendQuiet(dst, base, sc.quiet), base, in, sc)
}

// appendQuiet appends a step to each empty square of a set. base holds the square and the
// mover of the steps.
func appendQuiet(dst []engine.Move, base engine.Move, set rays) []engine.Move {
	base = quietStep(base, fromOf(base))
	for ; set != 0; set &= set - 1 {
		dst = append(dst, base+raySteps[set.next()])
	}
	return dst
}

// appendNoisy appends the captures and joins of a mover other than a commander. moved
// describes the stack that moves.
func (p *Position) appendNoisy(dst []engine.Move, base engine.Move, moved *stackInfo, sc scope) []engine.Move {
	from, kind := fromOf(base), moved.kinds[0]
	ground, leads := kindScopes[kind&31].class <= rangedClass, &joinLeads[moved.composition&63]
	for set := sc.noisy; set != 0; set &= set - 1 {
		i := set.next()
		to := from + raySquares[i]
		in := &infos[p.cells[to]&511]
		if in.side == p.turn {
			lead := leads[in.composition&63]
			if lead != noLead && sc.joins>>i&1 != 0 && fits[lead&15][to] && (ground || p.canReachOwn(from, kind, &rayTargets[i&63])) {
				dst = append(dst, noisyStep(base, to, Join))
			}
			continue
		}
		t := captureTarget(kind, from, to)
		if e, ok := p.effectOnEnemy(from, kind, in, &t); ok {
			dst = appendStep(dst, base, to, kind, e)
		}
	}
	return dst
}

// appendStep appends the step with this effect. An air force that captures as a whole
// stack may also stay.
func appendStep(dst []engine.Move, base engine.Move, to, kind uint8, e Effect) []engine.Move {
	dst = append(dst, noisyStep(base, to, e))
	if e == Capture && base>>MoverShift == Whole && kind&^heroicBit == airKind {
		dst = append(dst, noisyStep(base, to, Stay))
	}
	return dst
}

// generateCommander is generate for the commander. Any stack stops it, and so does a
// square that is exposed to the enemy commander. It captures on adjacent squares only.
func (p *Position) generateCommander(quiet, noisy []engine.Move, base engine.Move, moved *stackInfo) ([]engine.Move, []engine.Move) {
	from, kind, leads := fromOf(base), moved.kinds[0], &joinLeads[moved.composition&63]
	dirs := directions[:4]
	if kind&heroicBit != 0 {
		dirs = directions[:]
	}
	for d, dir := range dirs {
		to := from + uint8(dir)
		for p.cells[to] == Empty && fits[Commander][to] && !p.exposed(from, to) {
			quiet = append(quiet, quietStep(base, to))
			to += uint8(dir)
		}
		switch in := &infos[p.cells[to]&511]; in.side {
		case p.turn:
			if fits[Commander][to] && fits[leads[in.composition&63]&15][to] {
				noisy = append(noisy, noisyStep(base, to, Join))
			}
		case p.turn ^ 1:
			if to == from+uint8(dir) && (d < 4 || in.lead != Commander) {
				noisy = append(noisy, noisyStep(base, to, captureOrStay(captureTarget(kind, from, to).flags)))
			}
		}
	}
	return quiet, noisy
}
