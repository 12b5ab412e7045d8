package chess

import "selfplay/engine"

var _ engine.Passer = (*Position)(nil)

// Pass lets the other side move. It refuses in check, and where the side to move has only
// pawns: there zugzwang is common. It clears the half-move clock, so that no position
// after it repeats one before it.
func (p *Position) Pass() bool {
	us := p.turn()
	if p.sides[us]&^(p.kinds[pawn]|p.kinds[king]) == 0 || p.Check() {
		return false
	}
	if p.ply >= len(p.history) {
		p.growHistory()
	}
	e := &p.history[p.ply]
	e.hash, e.state, e.move, e.score = p.hash, p.state, 0, p.score
	p.ply++
	p.hash ^= sideKey ^ enPassantKeys[p.state>>passantShift&15]
	p.state = p.state&(clockUnit-1)&^passantBits ^ turnBit
	return true
}

// TakePass takes back the last Pass.
func (p *Position) TakePass() {
	p.ply--
	e := &p.history[p.ply]
	p.hash, p.state, p.score = e.hash, e.state, e.score
}
