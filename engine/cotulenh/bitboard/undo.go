package bitboard

import "selfplay/engine/cotulenh"

// change is one entry of the log: the cell sq changed from old to new, and index is the
// index that old had in its side's list. A whole stack that moved to an empty square takes
// a single entry: new is moved, and index is the square entered.
type change struct {
	sq, index uint8
	old, new  cotulenh.Stack
}

// moved is not a stack, see change.
const moved = cotulenh.Stack(cotulenh.NumStacks)

// snapshot is what Undo restores besides the cells.
type snapshot struct {
	hash       uint64
	log        int32 // length of the log
	half, full uint32
	commander  [2]uint8
	attacked   [2]attack
	session    session
	turn       uint8
}

// save returns a snapshot of the position as it is now.
func (p *Position) save() snapshot {
	return snapshot{
		hash: p.hash, log: int32(len(p.log)), half: p.half, full: p.full,
		commander: [2]uint8{p.sides[0].commander, p.sides[1].commander},
		attacked:  [2]attack{p.sides[0].attacked, p.sides[1].attacked},
		session:   p.session, turn: p.turn,
	}
}

// restore returns to an earlier snapshot.
func (p *Position) restore(s *snapshot) {
	for len(p.log) > int(s.log) {
		c := p.log[len(p.log)-1]
		p.log = p.log[:len(p.log)-1]
		p.revert(c)
	}
	p.hash, p.half, p.full, p.session, p.turn = s.hash, s.half, s.full, s.session, s.turn
	p.sides[0].commander, p.sides[1].commander = s.commander[0], s.commander[1]
	p.sides[0].attacked, p.sides[1].attacked = s.attacked[0], s.attacked[1]
}

// revert takes one change back. The caller restores what a snapshot holds.
func (p *Position) revert(c change) {
	was, sq := &facts[c.old&511], c.sq
	if c.new == moved {
		p.relocate(was, c.index, sq)
		if p.tally.Known() {
			p.tally.Move(c.old, cotulenh.Square(c.index), cotulenh.Square(sq))
		}
		return
	}
	is := &facts[c.new&511]
	p.replace(sq, is, was, c.old)
	if p.tally.Known() {
		p.tally.Replace(cotulenh.Square(sq), c.new, c.old)
	}
	if was.side == is.side {
		p.sides[was.side&1].setCandidates(p.index[sq], candidatesOf(was, sq))
		return
	}
	if is.side < noSide {
		p.unlist(is.side, sq) // the newest entry, so this only drops it
	}
	if was.side < noSide {
		p.relist(was.side, sq, c.index, candidatesOf(was, sq))
	}
}
