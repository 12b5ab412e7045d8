package bitboard

import (
	"selfplay/engine"
	"selfplay/engine/cotulenh"
)

// Do plays a legal step.
func (p *Position) Do(m engine.Move) {
	p.history = append(p.history, p.save())
	if m == commit {
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
	p.restore(before)
	p.history = p.history[:len(p.history)-1]
}

// apply executes a step: clocks, cells, session, promotions. It does not end the turn.
func (p *Position) apply(m engine.Move) {
	if !p.session.open() && p.half < cotulenh.MaxClock {
		p.half++
	}
	if isCapture(m) {
		p.half = 0
	}
	if moverOf(m) >= deploy {
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
	case cotulenh.Normal:
		p.moveStack(from, to)
	case cotulenh.Capture:
		p.set(to, cotulenh.Empty)
		p.moveStack(from, to)
	case cotulenh.Stay:
		p.set(to, cotulenh.Empty)
	case cotulenh.Suicide:
		p.set(from, cotulenh.Empty)
		p.set(to, cotulenh.Empty)
	case cotulenh.Join:
		s := combine(p.cells[from], p.cells[to])
		p.set(from, cotulenh.Empty)
		p.set(to, s)
	}
}

// endTurnAfter ends the turn after a legal step, unless a session continues.
func (p *Position) endTurnAfter(m engine.Move) {
	if moverOf(m) < deploy || p.session.rest == 0 || !p.canContinue() {
		p.endTurn()
	}
}

// endTurn closes the session and passes the turn to the other side.
func (p *Position) endTurn() {
	if p.session.open() {
		p.hash ^= p.session.key()
		p.session = noSession
	}
	if p.turn == 1 && p.full < cotulenh.MaxClock {
		p.full++
	}
	p.turn ^= 1
	p.hash ^= sideKey
	p.pushTurn()
}

var sideKey = cotulenh.SideKey()

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
