package cotulenh

import "selfplay/engine"

// apply executes a step: clocks, cells, session, promotions. It does not end the
// turn.
func (p *Position) apply(m engine.Move) {
	if !p.session.open() && p.half < MaxClock {
		p.half++
	}
	if isCapture(m) {
		p.half = 0
	}
	if moverOf(m) >= Deploy {
		p.applyDeploy(m)
	} else {
		p.applyWhole(m)
	}
	p.promote(p.turn)
}

// applyWhole executes a step of a whole stack on the cells.
func (p *Position) applyWhole(m engine.Move) {
	from, to := fromOf(m), toOf(m)
	switch effectOf(m) {
	case Normal:
		p.moveStack(from, to)
	case Capture:
		p.set(to, Empty)
		p.moveStack(from, to)
	case Stay:
		p.set(to, Empty)
	case Suicide:
		p.set(from, Empty)
		p.set(to, Empty)
	case Join:
		s := combine(p.cells[from], p.cells[to])
		p.set(from, Empty)
		p.set(to, s)
	}
}

// applyDeploy executes a deploy step on the cells and in the session, which it opens
// if necessary.
func (p *Position) applyDeploy(m engine.Move) {
	from, to, slot := fromOf(m), toOf(m), moverOf(m)-Deploy
	s := p.cells[from]
	if p.session.open() {
		p.hash ^= p.session.key()
	} else {
		p.session = noSession
		p.session.origin = from
		p.session.rest = 1<<infos[s&511].size - 1
	}
	member := s.member(slot)
	if effectOf(m) == Stay {
		p.set(to, Empty)
		p.session.rest &^= 1 << slot
	} else {
		p.set(from, s.without(slot))
		p.session.drop(slot)
		switch effectOf(m) {
		case Suicide:
			p.set(to, Empty)
		case Join:
			p.set(to, combine(member, p.cells[to]))
			p.session.land(to)
		default:
			p.set(to, member)
			p.session.land(to)
		}
	}
	p.hash ^= p.session.key()
}

// promote makes members heroic after a step of side us: every member that attacks the
// enemy commander, found with the zones before any promotion, and then the last
// guard of each side.
func (p *Position) promote(us uint8) {
	if a := &p.sides[us&1^1]; a.attacked != noAttack && a.commander != NoSquare {
		p.promoteAttackers(us & 1)
	}
	if p.sides[0].n <= 2 || p.sides[1].n <= 2 {
		p.promoteLastGuards()
	}
}

// promoteAttackers promotes the members of side us that attack the enemy commander.
func (p *Position) promoteAttackers(us uint8) {
	a := &p.sides[us^1]
	var attackers attackerList
	found := p.attackersOn(us^1, a.commander, &attackers)
	for _, attacker := range attackers.list[:attackers.n] {
		if s := p.cells[attacker.sq]; promoted[s&511][attacker.slots&7] != s {
			p.set(attacker.sq, promoted[s&511][attacker.slots&7])
		}
	}
	a.attacked = found
}

// promoteLastGuards promotes the last guard of each side.
func (p *Position) promoteLastGuards() {
	for side := range uint8(2) {
		if p.sides[side].n > 2 {
			continue // a last guard stands alone or beside its commander
		}
		if sq := p.lastGuardToPromote(side); sq != NoSquare {
			p.set(sq, promoted[p.cells[sq]&511][1])
		}
	}
}

// lastGuardToPromote returns the square of a side's last guard if it is not heroic,
// else NoSquare. The last guard is the only stack without the commander as its lead;
// it must be a single piece.
func (p *Position) lastGuardToPromote(side uint8) uint8 {
	a := &p.sides[side]
	guards, last := 0, uint8(0)
	for _, sq := range a.squares[:a.n] {
		if infos[p.cells[sq]&511].lead != Commander {
			guards++
			last = sq
		}
	}
	if guards != 1 {
		return NoSquare
	}
	if in := &infos[p.cells[last]&511]; in.size != 1 || in.heroic != 0 {
		return NoSquare
	}
	return last
}
