package encode

// visits counts how often each position of a game has occurred. Positions are compared by
// engine.Position.Hash, as the rules of all games compare them. A position never recurs
// across a capture or another move that cannot be taken back, so the count over the whole
// game is the count of the rules, which look back no further than such a move.
type visits map[uint64]uint16

// add counts a position and returns how often it has occurred before.
func (v visits) add(hash uint64) (earlier uint16) {
	earlier = v[hash]
	v[hash] = earlier + 1
	return earlier
}
