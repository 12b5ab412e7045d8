package cotulenh

// The functions here change cells together with everything derived from them: lists,
// candidates, occupancy, air defense, commanders, hash, tally, and what is known of
// attacks. They know no rules.

// set puts a stack, or Empty, on a square and logs the change.
func (p *Position) set(sq uint8, new Stack) {
	old := p.cells[sq]
	p.log = append(p.log, change{sq, p.index[sq], old, new})
	p.cells[sq] = new
	was, is := &infos[old&511], &infos[new&511]
	p.hash ^= CellKey(old, Square(sq)) ^ CellKey(new, Square(sq))
	p.forgetAttacks(sq)
	if was.side == is.side {
		if p.candidatesKnown {
			p.sides[is.side&1].setCandidates(p.index[sq], candidatesOf(is, sq))
		}
	} else {
		if was.side < sideNone {
			p.unlist(was.side, sq)
		}
		if is.side < sideNone {
			p.enlist(is.side, sq, candidatesOf(is, sq))
		}
	}
	if p.tally.known {
		p.tally.Replace(Square(sq), old, new)
	}
	if was.level|is.level != 0 {
		p.updateZones(sq, was, is)
	}
	if was.commander|is.commander != 0 {
		p.updateCommander(sq, was, is)
	}
}

// moveStack moves a whole stack to an empty square and logs the change. The stack
// keeps its place in the list.
func (p *Position) moveStack(from, to uint8) {
	s := p.cells[from]
	p.log = append(p.log, change{from, to, s, dead})
	p.hash ^= CellKey(s, Square(from)) ^ CellKey(s, Square(to))
	in := &infos[s&511]
	a := &p.sides[in.side&1]
	p.forgetAttacksOf(in.side&1, from, to)
	p.relocate(in, from, to)
	if p.tally.known {
		p.tally.Move(s, Square(from), Square(to))
	}
	if in.level != 0 {
		p.moveZone(in, from, to)
		a.attacked = attackUnknown
	}
	if in.commander != 0 {
		a.commander = to
		a.attacked = attackUnknown
	}
}

// relocate moves a stack in cells, list and occupancy.
func (p *Position) relocate(in *stackInfo, from, to uint8) {
	a := &p.sides[in.side&1]
	i := p.index[from]
	a.squares[i] = to
	p.index[to] = i
	p.cells[to] = p.cells[from]
	p.cells[from] = Empty
	occ := &p.occ[in.side&1]
	occ.clear(from)
	occ.set(to)
	if p.candidatesKnown {
		a.setCandidates(i, candidatesOf(in, to))
	}
}

// setCandidates changes the number of candidate steps of a listed stack.
func (a *sideState) setCandidates(i, n uint8) {
	a.candidatesTotal += uint32(n) - uint32(a.candidates[i])
	a.candidates[i] = n
}

// enlist appends a square to a side's list.
func (p *Position) enlist(side, sq, candidates uint8) {
	a := &p.sides[side&1]
	a.squares[a.n] = sq
	a.candidates[a.n] = candidates
	p.index[sq] = a.n
	a.n++
	a.candidatesTotal += uint32(candidates)
	p.occ[side&1].set(sq)
}

// unlist removes a square from a side's list; the last entry takes its place.
func (p *Position) unlist(side, sq uint8) {
	a := &p.sides[side&1]
	i := p.index[sq]
	a.n--
	a.candidatesTotal -= uint32(a.candidates[i])
	last := a.squares[a.n]
	a.squares[i] = last
	a.candidates[i] = a.candidates[a.n]
	p.index[last] = i
	p.occ[side&1][sq>>6] &^= 1 << (sq & 63) // by hand, to stay within the inlining budget
}

// relist is the inverse of unlist: the square gets its old place back, and the entry
// there returns to the end.
func (p *Position) relist(side, sq, i, candidates uint8) {
	a := &p.sides[side&1]
	if i != a.n {
		moved := a.squares[i]
		a.squares[a.n] = moved
		a.candidates[a.n] = a.candidates[i]
		p.index[moved] = a.n
	}
	a.squares[i] = sq
	a.candidates[i] = candidates
	p.index[sq] = i
	a.n++
	a.candidatesTotal += uint32(candidates)
	p.occ[side&1].set(sq)
}

// updateZones replaces the zone of a square's old stack with that of its new one.
func (p *Position) updateZones(sq uint8, was, is *stackInfo) {
	if was.level == is.level && was.side == is.side {
		return
	}
	if was.level != 0 {
		p.removeZone(was, sq)
		p.sides[was.side&1].attacked = attackUnknown
	}
	if is.level != 0 {
		p.addZone(is, sq)
		p.sides[is.side&1].attacked = attackUnknown
	}
}

// addZone adds the zone that a stack with these properties provides.
func (p *Position) addZone(in *stackInfo, sq uint8) {
	p.zones[in.side&1].add(sq, in.level)
	p.cover[in.side&1].known = false
}

// removeZone is the inverse of addZone.
func (p *Position) removeZone(in *stackInfo, sq uint8) {
	p.zones[in.side&1].remove(sq, in.level)
	p.cover[in.side&1].known = false
}

// moveZone moves the zone of a stack that moved.
func (p *Position) moveZone(in *stackInfo, from, to uint8) {
	z := &p.zones[in.side&1]
	z.remove(from, in.level)
	z.add(to, in.level)
	p.cover[in.side&1].known = false
}

// updateCommander records that a commander left or entered a square.
func (p *Position) updateCommander(sq uint8, was, is *stackInfo) {
	if was.commander != 0 {
		p.sides[was.side&1].commander = NoSquare
	}
	if is.commander != 0 {
		p.sides[is.side&1].commander = sq
		p.sides[is.side&1].attacked = attackUnknown
	}
}

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
