package contrast

import "selfplay/engine"

// Legal reports whether Moves lists a move.
func (p *Position) Legal(m engine.Move) bool {
	from, to, kind := fromOf(m), toOf(m), kindOf(m)
	if p.goalReached() || !p.goes(from, to) {
		return false
	}
	return kind == noTile || p.hands[p.turn&1].holds(kind) && p.room(p.empty()&p.bare(), from, to).has(placeOf(m))
}
