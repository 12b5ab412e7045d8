package search

import "selfplay/engine"

// history is the history heuristic: per side, a score of quiet moves that caused beta
// cutoffs, weighted by depth. Moves are hashed into the table, so two moves may share
// an entry. See chessprogramming.org/History_Heuristic.
type history struct {
	scores [2][historySize]int16 // by side and historyIndex, from -maxHistory to maxHistory
	dirty  bool                  // an entry is not 0

	continuation [continuationSize]int16 // by the move before and the move
}

const (
	historyBits = 11
	historySize = 1 << historyBits
	maxHistory  = 1 << 14
)

// historyIndex returns the index of a move.
func historyIndex(m engine.Move) uint32 {
	const golden = 0x9e3779b1 // 2^32 over the golden ratio: Knuth's multiplicative hashing
	return uint32(m) * golden >> (32 - historyBits)
}

const (
	continuationBits = 14
	continuationSize = 1 << continuationBits
)

// continuationIndex returns the index of a move after another move.
func continuationIndex(previous, m engine.Move) uint32 {
	const golden = 0x9e3779b1
	return (uint32(m)*golden ^ uint32(previous)*0x85ebca6b) >> (32 - continuationBits)
}

// reward adds a bonus, or a malus, to the histories of a move. An entry stays between
// -maxHistory and maxHistory: the larger it is, the less a bonus adds.
func (h *history) reward(us engine.Side, previous, m engine.Move, bonus int) {
	adjust(&h.scores[us&1][historyIndex(m)], bonus)
	adjust(&h.continuation[continuationIndex(previous, m)], bonus)
	h.dirty = true
}

// sum returns the histories of a move after another move.
func (h *history) sum(us engine.Side, previous, m engine.Move) int {
	return int(h.scores[us&1][historyIndex(m)]) + int(h.continuation[continuationIndex(previous, m)])
}

// adjust adds a bonus to an entry.
func adjust(entry *int16, bonus int) {
	value := int(*entry)
	*entry = int16(value + bonus - value*max(bonus, -bonus)/maxHistory)
}

// clear sets all entries to 0.
func (h *history) clear() {
	if h.dirty {
		*h = history{}
	}
}
