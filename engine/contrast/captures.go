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

// Placement returns what the advance of the piece is worth, minus the tile.
func (p *Position) Placement(m engine.Move) int {
	s := advances[p.turn&1][toOf(m)&63] - advances[p.turn&1][fromOf(m)&63]
	if placesTile(m) {
		s -= standard.gray
	}
	return s
}

// advances holds the worth of a piece by side and square.
var advances = func() (table [2][64]int) {
	for side := range table {
		for rank, worth := range standard.rank[1:] {
			for sq := range uint8(64) {
				if ranksOf[side][rank+1].has(sq) {
					table[side][sq] = worth
				}
			}
		}
	}
	return table
}()

// Gain returns winGain for a move that reaches the goal row and 0 for any other.
func (p *Position) Gain(m engine.Move) int {
	if goals[p.turn&1].has(toOf(m)) {
		return winGain
	}
	return 0
}
