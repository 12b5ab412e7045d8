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
