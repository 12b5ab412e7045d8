package bitboard

import "selfplay/engine/cotulenh"

// promote makes members heroic after a step of side us: every member that attacks the enemy
// commander, found with the zones before any promotion, and then the last guard of each
// side.
func (p *Position) promote(us uint8) {
	them := us ^ 1
	if s := &p.sides[them&1]; s.attacked != noAttack && s.commander != noSquare {
		var attackers attackerList
		found := p.attackersOn(them, s.commander, &attackers)
		for _, a := range attackers.list[:attackers.n] {
			if old := p.cells[a.sq]; promoted[old&511][a.slots&7] != old {
				p.set(a.sq, promoted[old&511][a.slots&7])
			}
		}
		s.attacked = found
	}
	for side := range uint8(2) {
		if p.sides[side].n > 2 {
			continue // a last guard stands alone or beside its commander
		}
		if sq := p.lastGuardToPromote(side); sq != noSquare {
			p.set(sq, promoted[p.cells[sq]&511][1])
		}
	}
}

// lastGuardToPromote returns the square of a side's last guard if it is not heroic, else
// noSquare. The last guard is the only stack without the commander as its lead; it must be
// a single piece.
func (p *Position) lastGuardToPromote(side uint8) uint8 {
	s := &p.sides[side&1]
	guards := s.occupied.AndNot(s.leads[cotulenh.Commander])
	if guards.Count() != 1 {
		return noSquare
	}
	last := guards.pop()
	if f := &facts[p.cells[last]&511]; f.size != 1 || f.heroic != 0 {
		return noSquare
	}
	return last
}
