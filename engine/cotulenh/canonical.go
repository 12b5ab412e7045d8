package cotulenh

import "selfplay/engine"

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
