package search

import (
	"cmp"
	"slices"

	"selfplay/engine"
)

// Good moves first: what the table knows, captures by what they win, killers,
// quiet moves by history, moves that lose something. A key says where a move
// stands; the next move is picked when it is needed, because after a refutation
// none is. See chessprogramming.org/Move_Ordering.

// frame is the memory of one ply.
type frame struct {
	moves   []engine.Move
	keys    []int32 // beside moves
	ordered bool    // what is left may be taken as it comes
	used    bool    // by this search
	killers [2]engine.Move
}

// Keys, from the best.
const (
	knownKey   = 1 << 30
	captureKey = 1 << 24 // plus the gain, at most maxGain
	killerKey  = 1 << 20 // one less for the second
	maxGain    = 1 << 22
	// Quiet moves have their history, at most maxHistory, and losing ones
	// their gain.
)

// picked is how many moves are picked by key. Where so many did not refute,
// mostly none does, and the order of the others is not worth its price.
const picked = 16

// frame returns the memory of a ply.
func (s *AlphaBeta) frame(ply int) *frame {
	f := &s.frames[ply]
	f.used = true
	return f
}

// forget gives a ply back as it was before the search, but for memory.
func (f *frame) forget() { f.used, f.killers = false, [2]engine.Move{} }

// grow makes as many keys as moves.
func (f *frame) grow() {
	if cap(f.keys) < len(f.moves) {
		f.keys = make([]int32, cap(f.moves))
	}
	f.keys = f.keys[:len(f.moves)]
	f.ordered = false
}

// rank gives the moves of us keys for picking. known is the table's move, 0 if it
// has none.
func (s *AlphaBeta) rank(f *frame, us engine.Side, known engine.Move) {
	f.grow()
	quiet, gains := &s.past.scores[us&1], s.options.Off&Gains == 0
	for i, m := range f.moves {
		gain := 0
		if gains {
			gain = s.p.Gain(m)
		}
		switch {
		case gain > 0:
			f.keys[i] = captureKey + int32(min(gain, maxGain))
		case gain < 0:
			f.keys[i] = int32(max(gain, -maxGain))
		case m == f.killers[0]:
			f.keys[i] = killerKey
		case m == f.killers[1]:
			f.keys[i] = killerKey - 1
		default:
			f.keys[i] = int32(quiet[slot(m)])
		}
		if m == known && known != 0 {
			f.keys[i] = knownKey
		}
	}
}

// rankGains gives the moves keys by the table's move and by what they win alone. If
// they are picky, moves that lose more than they win are left out.
func (s *AlphaBeta) rankGains(f *frame, known engine.Move, picky bool) {
	f.grow()
	keep := 0
	for _, m := range f.moves {
		gain := s.p.Gain(m)
		if picky && gain < 0 {
			continue
		}
		f.moves[keep], f.keys[keep] = m, int32(gain)
		if m == known && known != 0 {
			f.keys[keep] = knownKey
		}
		keep++
	}
	f.moves, f.keys = f.moves[:keep], f.keys[:keep]
	f.ordered = keep < 2 || s.options.Off&Gains != 0
}

// pick brings the best of the moves from i on to place i and returns it.
func (f *frame) pick(i int) engine.Move {
	if f.ordered {
		return f.moves[i]
	}
	moves, keys := f.moves, f.keys[:len(f.moves)]
	top, key := i, keys[i]
	for j := i + 1; j < len(keys); j++ {
		if keys[j] > key {
			top, key = j, keys[j]
		}
	}
	f.ordered = key <= 0 || i >= picked
	m := moves[top]
	moves[top], keys[top] = moves[i], keys[i]
	moves[i], keys[i] = m, key
	return m
}

// refuted learns from the i-th move of a frame, which refuted what led there.
func (s *AlphaBeta) refuted(f *frame, us engine.Side, i, depth int) {
	m := f.moves[i]
	if s.options.Off&Gains == 0 && s.p.Gain(m) != 0 {
		return // captures have their order
	}
	if s.options.Off&Killers == 0 && m != f.killers[0] {
		f.killers[1], f.killers[0] = f.killers[0], m
	}
	if s.options.Off&History == 0 {
		s.past.add(us, m, 1+depth*depth)
	}
}

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

// sortByGain puts lines in order of what their moves win at once; equals stay as
// they are. It uses their scores.
func sortByGain(lines []Line, p engine.Evaluator) {
	for i := range lines {
		lines[i].Score = p.Gain(lines[i].Move)
	}
	slices.SortStableFunc(lines, func(a, b Line) int { return cmp.Compare(b.Score, a.Score) })
}
