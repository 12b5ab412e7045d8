package cotulenh

// The answer of commanderAttack is kept until a change of cells could alter it.

// forgetAttacks marks the attacks on the commanders in range of a square as unknown.
func (p *Position) forgetAttacks(sq uint8) {
	if inAttackRange[sq-p.sides[0].commander] {
		p.sides[0].attacked = attackUnknown
	}
	if inAttackRange[sq-p.sides[1].commander] {
		p.sides[1].attacked = attackUnknown
	}
}

// forgetAttacksOf is forgetAttacks for a stack of side us that moves to an empty square.
// If its commander is not attacked, only what the stack uncovers can attack it.
func (p *Position) forgetAttacksOf(us, from, to uint8) {
	own, enemy := &p.sides[us&1], &p.sides[us&1^1]
	if inAttackRange[from-enemy.commander] || inAttackRange[to-enemy.commander] {
		enemy.attacked = attackUnknown
	}
	switch {
	case own.attacked != noAttack:
		if inAttackRange[from-own.commander] || inAttackRange[to-own.commander] {
			own.attacked = attackUnknown
		}
	case inAttackRange[from-own.commander] && p.mayUncover(us, from):
		own.attacked = attackUnknown
	}
}

// mayUncover reports whether an enemy could attack the commander of side us if the stack
// in its attack range on from were not there.
func (p *Position) mayUncover(us, from uint8) bool {
	sq := p.sides[us&1].commander
	r := &relations[from-sq]
	if r.dist == 0 {
		return true
	}
	if !p.clearBetween(sq, r.dir, r.dist) {
		return false
	}
	for n := r.dist + 1; n <= maxAttack; n++ {
		from += r.dir
		if s := p.cells[from]; s != Empty {
			return infos[s&511].side == us^1 && attackSlots[navyTarget][s&511][(r.diagonal<<3|n)&15] != 0
		}
	}
	return false
}
