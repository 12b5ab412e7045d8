package search

import (
	"cmp"
	"slices"

	"selfplay/engine"
)

// Good moves first: what the table knows, captures by what they win, killers,
// quiet moves by history, moves that lose something. They come in stages, because a
// refutation mostly comes early, and what was not listed by then need not be. Within a
// stage the next move is picked by a key when it is needed. See
// chessprogramming.org/Move_Ordering and /Move_Generation#Staged_Move_Generation.

// frame is the memory of one ply.
type frame struct {
	moves   []engine.Move
	keys    []int32 // beside moves
	at      int     // the next of them
	ordered bool    // what is left may be taken as it comes

	stage   stage
	known   engine.Move // by the table, 0 if none is
	killers [2]engine.Move
	used    bool // by this search
}

// stage is where a frame is with its moves.
type stage uint8

const (
	tableMove stage = iota
	listCaptures
	goodCaptures
	firstKiller
	secondKiller
	listOthers
	others
)

// Keys of moves that are no captures: quiet ones have their history, at most
// maxHistory, and losing ones their gain, at least -maxGain.
const (
	knownKey = 1 << 30
	maxGain  = 1 << 22
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

// begin goes to the first stage. known is the table's move, 0 if it has none.
func (f *frame) begin(known engine.Move) { f.stage, f.known = tableMove, known }

// next returns the next move of us, false if there is none.
func (s *AlphaBeta) next(f *frame, us engine.Side) (m engine.Move, ok bool) {
	for {
		switch f.stage {
		case tableMove:
			f.stage = listCaptures
			if f.known != 0 && s.p.Legal(f.known) {
				return f.known, true
			}
			f.known = 0
		case listCaptures:
			f.stage = firstKiller
			if s.options.Off&Gains == 0 {
				f.stage = goodCaptures
				s.rankCaptures(f)
			}
		case firstKiller, secondKiller:
			m := f.killers[f.stage-firstKiller]
			f.stage++
			if m != 0 && !f.had(m) && s.gain(m) == 0 && s.p.Legal(m) {
				return m, true
			}
		case listOthers:
			f.stage = others
			s.rankOthers(f, us)
		default: // goodCaptures, others
			if f.at < len(f.moves) {
				return f.pick(), true
			}
			if f.stage == others {
				return 0, false
			}
			f.stage++
		}
	}
}

// had reports whether a move came first, by the table.
func (f *frame) had(m engine.Move) bool { return m == f.known && m != 0 }

// kills reports whether a move is a killer.
func (f *frame) kills(m engine.Move) bool {
	return (m == f.killers[0] || m == f.killers[1]) && m != 0
}

// gain is what a move wins, as far as the order may know.
func (s *AlphaBeta) gain(m engine.Move) int {
	if s.options.Off&Gains != 0 {
		return 0
	}
	return s.p.Gain(m)
}

// reset makes room for as many keys as moves.
func (f *frame) reset() {
	if cap(f.keys) < len(f.moves) {
		f.keys = make([]int32, cap(f.moves))
	}
	f.keys = f.keys[:len(f.moves)]
	f.at, f.ordered = 0, false
}

// rankCaptures lists the captures that win something, but for the known move.
func (s *AlphaBeta) rankCaptures(f *frame) {
	f.moves = s.p.Captures(f.moves[:0])
	f.reset()
	keep := 0
	for _, m := range f.moves {
		if gain := s.p.Gain(m); gain > 0 && !f.had(m) {
			f.moves[keep], f.keys[keep] = m, int32(gain)
			keep++
		}
	}
	f.moves, f.keys = f.moves[:keep], f.keys[:keep]
}

// rankOthers lists the moves that the stages before left out.
func (s *AlphaBeta) rankOthers(f *frame, us engine.Side) {
	f.moves = s.p.Moves(f.moves[:0])
	f.reset()
	quiet, keep := &s.past.scores[us&1], 0
	for _, m := range f.moves {
		gain := s.gain(m)
		if gain > 0 || f.had(m) || gain == 0 && f.kills(m) {
			continue
		}
		key := int32(max(gain, -maxGain))
		if gain == 0 {
			key = int32(quiet[slot(m)])
		}
		f.moves[keep], f.keys[keep] = m, key
		keep++
	}
	f.moves, f.keys = f.moves[:keep], f.keys[:keep]
}

// rankGains gives the moves keys by the table's move and by what they win alone. If
// they are picky, moves that lose more than they win are left out.
func (s *AlphaBeta) rankGains(f *frame, known engine.Move, picky bool) {
	f.reset()
	keep := 0
	for _, m := range f.moves {
		gain := s.p.Gain(m)
		if picky && gain < 0 {
			continue
		}
		f.moves[keep], f.keys[keep] = m, int32(gain)
		if m == known && m != 0 {
			f.keys[keep] = knownKey
		}
		keep++
	}
	f.moves, f.keys = f.moves[:keep], f.keys[:keep]
	f.ordered = keep < 2 || s.options.Off&Gains != 0
}

// pick returns the best of the moves that are left.
func (f *frame) pick() engine.Move {
	i := f.at
	f.at++
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
	return m
}

// refuted learns from a move of us that refuted what led there.
func (s *AlphaBeta) refuted(f *frame, us engine.Side, m engine.Move, depth int) {
	if s.gain(m) != 0 {
		return // captures have their order
	}
	if s.options.Off&Killers == 0 && m != f.killers[0] {
		f.killers[1], f.killers[0] = f.killers[0], m
	}
	if s.options.Off&History == 0 {
		s.past.add(us, m, 1+depth*depth)
	}
}

// sortByGain puts lines in order of what their moves win at once; equals stay as
// they are. It uses their scores.
func sortByGain(lines []RootMove, p engine.Evaluator) {
	for i := range lines {
		lines[i].Score = p.Gain(lines[i].Move)
	}
	slices.SortStableFunc(lines, func(a, b RootMove) int { return cmp.Compare(b.Score, a.Score) })
}
