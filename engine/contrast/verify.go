package contrast

import "selfplay/engine"

// Legal reports whether Moves lists m in this position. Moves must have listed m in
// some position.
func (p *Position) Legal(m engine.Move) bool {
	from, to, kind := fromOf(m), toOf(m), kindOf(m)
	if p.goalReached() || !p.hasBaseMove(from, to) {
		return false
	}
	return kind == noTile || p.hands[p.turn&1].holds(kind) && p.tileSquares(p.empty()&p.bare(), from, to).has(tileSquareOf(m))
}
