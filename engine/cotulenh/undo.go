package cotulenh

// pushHistory adds a snapshot to the history.
func (p *Position) pushHistory() {
	n := len(p.history)
	if n == cap(p.history) {
		p.history = append(p.history, snapshot{})
	}
	p.history = p.history[:n+1]
	p.save(&p.history[n])
}

// save fills a snapshot in place, which saves a copy.
func (p *Position) save(s *snapshot) {
	s.hash, s.log, s.half, s.full, s.session, s.turn = p.hash, int32(len(p.log)), p.half, p.full, p.session, p.turn
	s.commander[0], s.commander[1] = p.sides[0].commander, p.sides[1].commander
	s.attacked[0], s.attacked[1] = p.sides[0].attacked, p.sides[1].attacked
}

// restore returns to an earlier snapshot.
func (p *Position) restore(s *snapshot) {
	p.revert(int(s.log))
	p.hash, p.half, p.full, p.session, p.turn = s.hash, s.half, s.full, s.session, s.turn
	p.sides[0].commander, p.sides[1].commander = s.commander[0], s.commander[1]
	p.sides[0].attacked, p.sides[1].attacked = s.attacked[0], s.attacked[1]
}

// revert replays the log backwards down to length n. The caller restores what a
// snapshot holds.
func (p *Position) revert(n int) {
	for len(p.log) > n {
		c := p.log[len(p.log)-1]
		p.log = p.log[:len(p.log)-1]
		if c.new == dead {
			p.undoMoveStack(c)
		} else {
			p.undoSet(c)
		}
	}
}

func (p *Position) undoMoveStack(c change) {
	from, to := c.sq, c.index
	in := &infos[c.old&511]
	p.relocate(in, to, from)
	if p.tally.known {
		p.tally.Move(c.old, Square(to), Square(from))
	}
	if in.level != 0 {
		p.moveZone(in, to, from)
	}
}

func (p *Position) undoSet(c change) {
	sq := c.sq
	was, is := &infos[c.old&511], &infos[c.new&511]
	p.cells[sq] = c.old
	if p.tally.known {
		p.tally.Replace(Square(sq), c.new, c.old)
	}
	if was.side == is.side {
		if p.candidatesKnown {
			p.sides[was.side&1].setCandidates(p.index[sq], candidatesOf(was, sq))
		}
	} else {
		if is.side < sideNone {
			p.unlist(is.side, sq) // the newest entry, so this only drops it
		}
		if was.side < sideNone {
			p.relist(was.side, sq, c.index, candidatesOf(was, sq))
		}
	}
	if was.level|is.level != 0 {
		p.updateZones(sq, is, was)
	}
}

// startHistory forgets the history and starts a new one at the current position.
func (p *Position) startHistory() {
	p.log = p.log[:0]
	p.history = p.history[:0]
	p.turnHashes = p.turnHashes[:0]
	clear(p.hashCounts[:])
	p.hash = p.computeHash()
	if !p.session.open() {
		p.pushTurn()
	}
}

// computeHash computes the hash from the board.
func (p *Position) computeHash() uint64 {
	h := p.session.key()
	for _, sq := range boardSquares {
		h ^= CellKey(p.cells[sq], Square(sq))
	}
	if p.turn == 1 {
		h ^= sideKey
	}
	return h
}

// pushTurn adds the position to the history of turn starts.
func (p *Position) pushTurn() {
	p.turnHashes = append(p.turnHashes, p.hash)
	p.hashCounts[p.hash%numHashCounts]++
}

// popTurn is the inverse of pushTurn.
func (p *Position) popTurn() {
	p.turnHashes = p.turnHashes[:len(p.turnHashes)-1]
	p.hashCounts[p.hash%numHashCounts]--
}
