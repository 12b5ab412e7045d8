package contrast

import "selfplay/engine"

// Captures appends the base moves that reach the goal row, each once. The game has no
// captures. Variations with a tile are omitted: a tile cannot improve a winning move.
func (p *Position) Captures(dst []engine.Move) []engine.Move {
	var b baseMoves
	if p.findBaseMoves(&b, p.goalTargets(p.turn)) == 0 {
		return dst
	}
	for i, movers := range b {
		for ; movers != 0; movers &= movers - 1 {
			from := movers.first()
			dst = append(dst, newMove(from, p.landing(from, directions[i])))
		}
	}
	return dst
}

// goalTargets returns the empty squares of a side's goal row.
func (p *Position) goalTargets(side uint8) set { return goals[side&1] & p.empty() }

// Gain returns winGain for a move that reaches the goal row and 0 for any other.
func (p *Position) Gain(m engine.Move) int {
	if goals[p.turn&1].has(toOf(m)) {
		return winGain
	}
	return 0
}
