package cotulenh

import (
	"math/bits"

	"selfplay/engine"
)

// Moves appends every legal step to dst. Most steps are legal without a test by
// playing; threats describes the position's exceptions.
func (p *Position) Moves(dst []engine.Move) []engine.Move {
	if p.session.open() {
		return p.sessionMoves(dst)
	}
	own := &p.sides[p.turn&1]
	if own.commander == NoSquare {
		return dst
	}
	th, all := p.assess(), p.occupied()
	p.untested, p.noisy = p.untested[:0], p.noisy[:0]
	first, tested := 0, 0 // of untested: steps that have been tested already
	for _, from := range own.squares[:own.n] {
		s, near := p.cells[from], raysAround(&all, from)
		in := &infos[s&511]
		quietLegal := th.quietLegal(from, in)
		if in.size > 1 {
			dst = p.generateDeployments(dst, from, near, quietLegal)
		}
		switch {
		case quietLegal: // no commander leads, so this is generate without the call
			sc := p.scope(from, in.kinds[0], near)
			if sc.noisy != 0 {
				p.noisy = p.appendNoisy(p.noisy, newStep(from, 0, Whole, Normal), in, sc)
			}
			dst = appendQuiet(dst, newStep(from, 0, Whole, Normal), sc.quiet)
		case s == loneCommanders[p.turn&1]:
			first = len(p.untested)
			p.untested, p.noisy = p.generate(p.untested, p.noisy, from, Whole, near)
			p.untested = p.appendCommanderSteps(p.untested[:first], p.untested[first:], &th)
			tested = len(p.untested)
		default:
			p.untested, p.noisy = p.generate(p.untested, p.noisy, from, Whole, near)
		}
	}
	dst = p.appendLegal(dst, p.noisy, &th)
	dst = p.appendLegal(dst, p.untested[:first], &th)
	dst = append(dst, p.untested[first:tested]...)
	return p.appendLegal(dst, p.untested[tested:], &th)
}

// generateDeployments generates the steps of the members of a stack. Quiet ones that are
// legal without a test go to dst, the others to p.untested and p.noisy.
func (p *Position) generateDeployments(dst []engine.Move, from uint8, near rays, quietLegal bool) []engine.Move {
	s := p.cells[from]
	for slot := range uint8(s.Size()) {
		if quietLegal && remnantFits(s.without(slot), from) {
			dst, p.noisy = p.generate(dst, p.noisy, from, Deploy+slot, near)
		} else {
			p.untested, p.noisy = p.generate(p.untested, p.noisy, from, Deploy+slot, near)
		}
	}
	return dst
}

// sessionMoves is Moves in an open session.
func (p *Position) sessionMoves(dst []engine.Move) []engine.Move {
	start := len(dst)
	dst = p.sessionSteps(dst)
	th := p.assess()
	dst = p.appendLegal(dst[:start], dst[start:], &th)
	if p.canCommit() {
		dst = append(dst, Commit)
	}
	return dst
}

// Count returns the number of steps that Moves lists. It counts the quiet steps of most
// stacks without listing them.
func (p *Position) Count() int {
	own := &p.sides[p.turn&1]
	if p.session.open() || own.commander == NoSquare {
		p.moves = p.Moves(p.moves[:0])
		return len(p.moves)
	}
	th, all := p.assess(), p.occupied()
	listed := p.untested[:0]
	n := 0
	for _, from := range own.squares[:own.n] {
		s, near := p.cells[from], raysAround(&all, from)
		in := &infos[s&511]
		switch {
		case s == loneCommanders[p.turn&1]:
			quiet, noisy := p.generate(p.noisy[:0], listed, from, Whole, near)
			p.noisy, listed = quiet, noisy
			n += len(p.appendCommanderSteps(quiet[:0], quiet, &th))
		case in.size > 1 || !th.quietLegal(from, in):
			listed = p.pseudoLegalFrom(listed, from, near)
		default:
			sc := p.scope(from, in.kinds[0], near)
			n += bits.OnesCount64(uint64(sc.quiet))
			listed = p.appendNoisy(listed, newStep(from, 0, Whole, Normal), in, sc)
		}
	}
	p.untested = listed
	return n + len(p.appendLegal(listed[:0], listed, &th))
}

// loneCommanders holds the codes of the commanders without cargo that are not heroic.
var loneCommanders = [2]Stack{codeOf(0, 1<<Commander, 0), codeOf(1, 1<<Commander, 0)}

// appendCommanderSteps appends the legal ones of the quiet steps of a commander that
// stands alone. The list may follow dst in the same array.
func (p *Position) appendCommanderSteps(dst, list []engine.Move, th *threats) []engine.Move {
	us := p.turn & 1
	from, enemy := p.sides[us].commander, p.sides[us^1].commander
	s := p.cells[from]
	mayPromote := inAttackRange[from-enemy] || p.sides[us].n <= 3
	for _, m := range list {
		to := toOf(m)
		if th.promotionPending || (mayPromote || inAttackRange[to-enemy]) && p.airInRange(us, to) {
			if p.playLegal(m) {
				dst = append(dst, m)
			}
			continue
		}
		p.cells[from] = Empty
		safe := !p.wouldFace(us, to) && p.attackOn(us, to, landTarget) == noAttack
		p.cells[from] = s
		if safe {
			dst = append(dst, m)
		}
	}
	return dst
}

var _ engine.Orderer = (*Position)(nil)

// Canonical reports false for the second of two quiet deploy steps in a row that could be
// played the other way round, if its member is cargo of the other one: the cargo leaves
// first, so that the lead never moves before it.
//
// It compares the step with the last one, which is known from the board: without a capture
// in this turn, a lone member on the last square of the session has just moved there, or
// the members after it joined stacks.
func (p *Position) Canonical(m engine.Move) bool {
	if !p.session.open() || p.half == 0 || m == Commit || effectOf(m) != Normal || p.sides[0].n <= 2 || p.sides[1].n <= 2 {
		return true
	}
	o := DeployOrder{
		Cells: &p.cells, Us: p.turn & 1, Commanders: [2]uint8{p.sides[0].commander, p.sides[1].commander},
		Origin: p.session.origin, Landed: p.session.landed,
	}
	return !o.Swaps(m) || p.danger(p.turn) || p.commanderAttack(p.turn^1) != noAttack
}

// DeployOrder is a position in an open session without captures, in which both sides have
// more than two stacks.
type DeployOrder struct {
	Cells      *[256]Stack
	Us         uint8
	Commanders [2]uint8
	Origin     uint8
	Landed     [2]uint8
}

// Swaps reports whether a quiet legal step after the last one could have been played before
// it, if our commander is now in no danger and the other one is not attacked. Then both
// orders end the turn in the same position:
//
//   - Both members reach their squares: neither stands in the other's way.
//   - No piece is promoted between them: whether the first, the second or none of them has
//     been played, nothing attacks the enemy commander.
//   - Either is legal as the first step of the session: our commander is in no danger after
//     it. The origin is occupied in any case, so only the squares of the members and air
//     defense matter.
func (o *DeployOrder) Swaps(m engine.Move) bool {
	last := o.Landed[0]
	if o.Landed[1] != NoSquare {
		last = o.Landed[1]
	}
	own, enemy := o.Commanders[o.Us&1], o.Commanders[o.Us&1^1]
	if last == NoSquare || own == NoSquare || enemy == NoSquare {
		return false
	}
	first, rest, to := o.Cells[last]&511, o.Cells[o.Origin]&511, toOf(m)
	second := rest.moving(moverOf(m))
	a := &infos[first]
	switch {
	case a.size != 1 || (a.commander|infos[rest].commander) != 0:
		return false
	case joinLeads[a.composition&63][infos[second&511].composition&63] != a.lead:
		return false // in canonical order
	case onRay(o.Origin, last, to):
		return false // in the way
	case o.attacks(first, o.Origin, enemy) || o.attacks(second, to, enemy) || o.uncovers(last, enemy, o.Us):
		return false
	case o.uncovers(last, own, o.Us^1) || onLine(own, enemy, last):
		return false
	}
	return a.level|infos[rest].level == 0 || !o.airForceNear(own)
}

// onRay reports whether a square lies on the way to another one on the same ray, or is it.
func onRay(from, to, sq uint8) bool {
	r, s := &relations[to-from], &relations[sq-from]
	return r.dir == s.dir && s.dist <= r.dist
}

// onLine reports whether a square lies between two others on their rank or file.
func onLine(a, b, sq uint8) bool {
	return sameLine(a, b) && sameLine(a, sq) && sameLine(b, sq) && (a < sq) == (sq < b)
}

// attacks reports whether a stack on a square could attack a commander if nothing stood
// between.
func (o *DeployOrder) attacks(s Stack, from, commander uint8) bool {
	return attackSlots[targetKind(o.Cells[commander])][s&511][relations[from-commander].index()] != 0
}

// uncovers reports whether a stack of a side could attack a commander if the given square
// were empty.
func (o *DeployOrder) uncovers(sq, commander, side uint8) bool {
	r := &relations[sq-commander]
	if r.dist == 0 {
		return false
	}
	from := sq
	for n := r.dist + 1; n <= maxAttack; n++ {
		from += r.dir
		if s := o.Cells[from]; s != Empty {
			return infos[s&511].side == side&1 && o.attacks(s, from, commander)
		}
	}
	return false
}

// airForceNear reports whether an enemy air force could attack our commander if our air
// defense changed.
func (o *DeployOrder) airForceNear(own uint8) bool {
	for _, dir := range directions {
		from := own
		for range maxAttack {
			from += uint8(dir)
			if in := &infos[o.Cells[from]&511]; in.side == o.Us&1^1 && in.plainAir != 0 && o.attacks(o.Cells[from], from, own) {
				return true
			}
		}
	}
	return false
}
