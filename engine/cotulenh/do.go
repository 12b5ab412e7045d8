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

// Do plays a legal step.
func (p *Position) Do(m engine.Move) {
	p.pushHistory()
	if m == Commit {
		p.endTurn()
		return
	}
	p.apply(m)
	p.endTurnAfter(m)
}

// Undo takes back the last step, together with an automatic commit after it.
func (p *Position) Undo() {
	before := &p.history[len(p.history)-1]
	if p.turn != before.turn {
		p.popTurn()
	}
	p.candidatesKnown = false
	p.restore(before)
	p.history = p.history[:len(p.history)-1]
}

// endTurnAfter ends the turn after a legal step, unless a session continues.
func (p *Position) endTurnAfter(m engine.Move) {
	if moverOf(m) < Deploy || p.session.rest == 0 || !p.canContinue() {
		p.endTurn()
	}
}

// endTurn closes the session and passes the turn to the other side.
func (p *Position) endTurn() {
	if p.session.open() {
		p.hash ^= p.session.key()
		p.session = noSession
	}
	if p.turn == 1 && p.full < MaxClock {
		p.full++
	}
	p.turn ^= 1
	p.hash ^= sideKey
	p.pushTurn()
}
