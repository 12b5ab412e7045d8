package search

import "selfplay/engine"

// history is the history heuristic: per side, a score of quiet moves that caused beta
// cutoffs, weighted by depth. Moves are hashed into the table, so two moves may share
// an entry. See chessprogramming.org/History_Heuristic.
type history struct {
	scores [2][historySize]int16 // by side and historyIndex, 0 to maxHistory
	dirty  bool                  // an entry is not 0
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

// add adds a bonus. If the entry would exceed maxHistory, all entries are halved first.
func (h *history) add(us engine.Side, m engine.Move, bonus int) {
	entry := &h.scores[us&1][historyIndex(m)]
	if int(*entry)+bonus > maxHistory {
		for side := range h.scores {
			for i := range h.scores[side] {
				h.scores[side][i] /= 2
			}
		}
	}
	*entry += int16(bonus)
	h.dirty = true
}

// clear sets all entries to 0.
func (h *history) clear() {
	if h.dirty {
		*h = history{}
	}
}
