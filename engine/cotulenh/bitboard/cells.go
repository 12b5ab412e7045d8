package bitboard

import "selfplay/engine/cotulenh"

// The functions here change cells together with everything derived from them: boards, lists,
// commanders, hash, tally, and what is known of attacks. They know no rules.

// set puts a stack, or Empty, on a square and logs the change.
func (p *Position) set(sq uint8, new cotulenh.Stack) {
	old := p.cells[sq]
	p.log = append(p.log, change{sq, p.index[sq], old, new})
	p.hash ^= cotulenh.CellKey(old, cotulenh.Square(sq)) ^ cotulenh.CellKey(new, cotulenh.Square(sq))
	was, is := &facts[old&511], &facts[new&511]
	p.forgetAttacks(sq)
	p.replace(sq, was, is, new)
	if was.side == is.side {
		p.sides[is.side&1].setCandidates(p.index[sq], candidatesOf(is, sq))
	} else {
		if was.side < noSide {
			p.unlist(was.side, sq)
		}
		if is.side < noSide {
			p.enlist(is.side, sq, candidatesOf(is, sq))
		}
	}
	if p.tally.Known() {
		p.tally.Replace(cotulenh.Square(sq), old, new)
	}
	if was.commander|is.commander != 0 {
		p.updateCommander(sq, was, is)
	}
	if was.level|is.level != 0 {
		p.sides[was.side&1].attacked = attackUnknown
		p.sides[is.side&1].attacked = attackUnknown
	}
}

// replace changes a cell and the boards.
func (p *Position) replace(sq uint8, was, is *stackFacts, new cotulenh.Stack) {
	p.cells[sq] = new
	bit := squareBoards[sq]
	if was.side < noSide {
		s := &p.sides[was.side&1]
		s.occupied = s.occupied.Xor(bit)
		s.leads[was.lead] = s.leads[was.lead].Xor(bit)
	}
	if is.side < noSide {
		s := &p.sides[is.side&1]
		s.occupied = s.occupied.Xor(bit)
		s.leads[is.lead] = s.leads[is.lead].Xor(bit)
	}
	if (was.heroic^is.heroic)&1 != 0 {
		p.heroic = p.heroic.Xor(bit)
	}
}

// moveStack moves a whole stack to an empty square and logs the change. The stack keeps its
// place in the list.
func (p *Position) moveStack(from, to uint8) {
	s := p.cells[from]
	p.log = append(p.log, change{from, to, s, moved})
	p.hash ^= cotulenh.CellKey(s, cotulenh.Square(from)) ^ cotulenh.CellKey(s, cotulenh.Square(to))
	p.forgetAttacks(from)
	p.forgetAttacks(to)
	f := &facts[s&511]
	p.relocate(f, from, to)
	if p.tally.Known() {
		p.tally.Move(s, cotulenh.Square(from), cotulenh.Square(to))
	}
	if f.level != 0 {
		p.sides[f.side&1].attacked = attackUnknown
	}
	if f.commander != 0 {
		p.sides[f.side&1].commander = to
		p.sides[f.side&1].attacked = attackUnknown
	}
}

// relocate moves a stack in cells, boards and list.
func (p *Position) relocate(f *stackFacts, from, to uint8) {
	s, both := &p.sides[f.side&1], squareBoards[from].Or(squareBoards[to])
	p.cells[to] = p.cells[from]
	p.cells[from] = cotulenh.Empty
	s.occupied = s.occupied.Xor(both)
	s.leads[f.lead] = s.leads[f.lead].Xor(both)
	if f.heroic&1 != 0 {
		p.heroic = p.heroic.Xor(both)
	}
	i := p.index[from]
	s.squares[i] = to
	p.index[to] = i
	s.setCandidates(i, candidatesOf(f, to))
}

// forgetAttacks marks the attacks on the commanders in range of a square as unknown.
func (p *Position) forgetAttacks(sq uint8) {
	if inAttackRange[sq-p.sides[0].commander] {
		p.sides[0].attacked = attackUnknown
	}
	if inAttackRange[sq-p.sides[1].commander] {
		p.sides[1].attacked = attackUnknown
	}
}

// updateCommander records that a commander left or entered a square.
func (p *Position) updateCommander(sq uint8, was, is *stackFacts) {
	if was.commander != 0 {
		p.sides[was.side&1].commander = noSquare
	}
	if is.commander != 0 {
		p.sides[is.side&1].commander = sq
		p.sides[is.side&1].attacked = attackUnknown
	}
}
