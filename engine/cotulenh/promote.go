package cotulenh

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

// captureMayLeaveGuard reports whether the capture of a stack of a side could leave a last
// guard to promote: one of two guards is a single piece and not heroic.
func (p *Position) captureMayLeaveGuard(side uint8) bool {
	a := &p.sides[side]
	guards, promotable := 0, false
	for _, sq := range a.squares[:a.n] {
		if in := &infos[p.cells[sq]&511]; in.lead != Commander {
			guards++
			promotable = promotable || in.size == 1 && in.heroic == 0
		}
	}
	return guards == 2 && promotable
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
