package contrast

import "selfplay/engine"

// Captures appends the moves that reach the goal row, each once. Nothing is ever
// captured, and a tile never helps a move that wins, so these come without one.
func (p *Position) Captures(dst []engine.Move) []engine.Move {
	var w ways
	if p.look(&w, p.goal(p.turn)) == 0 {
		return dst
	}
	for i, movers := range w {
		for ; movers != 0; movers &= movers - 1 {
			from := movers.first()
			dst = append(dst, newMove(from, p.landing(from, directions[i])))
		}
	}
	return dst
}

// goal returns the squares of a side's goal row that it could step on.
func (p *Position) goal(side uint8) set { return goals[side&1] & p.empty() }

// Gain is large for a move that reaches the goal row and 0 for any other.
func (p *Position) Gain(m engine.Move) int {
	if goals[p.turn&1].has(toOf(m)) {
		return winGain
	}
	return 0
}

// winGain is more than any lead is worth.
const winGain = 10_000
