package search

import "selfplay/engine"

// history counts how often, and how deep, quiet moves of a side refuted
// something. The game's bits of a move are hashed; moves may share a place.
type history struct {
	scores [2][historySize]int16
	dirty  bool
}

const (
	historyBits = 11
	historySize = 1 << historyBits
	maxHistory  = 1 << 14
)

// slot returns a move's place in a history.
func slot(m engine.Move) uint32 {
	const golden = 0x9e3779b1 // 2^32 over the golden ratio: Knuth's multiplicative hashing
	return uint32(m) * golden >> (32 - historyBits)
}

// add counts a refutation. Before a count would grow too large all are halved.
func (h *history) add(us engine.Side, m engine.Move, bonus int) {
	at := &h.scores[us&1][slot(m)]
	if int(*at)+bonus > maxHistory {
		for side := range h.scores {
			for i := range h.scores[side] {
				h.scores[side][i] /= 2
			}
		}
	}
	*at += int16(bonus)
	h.dirty = true
}

// forget empties the history.
func (h *history) forget() {
	if h.dirty {
		*h = history{}
	}
}
