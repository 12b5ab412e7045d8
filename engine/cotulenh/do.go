package cotulenh

import "selfplay/engine"

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
