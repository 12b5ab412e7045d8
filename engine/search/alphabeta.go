package search

import (
	"errors"
	"fmt"
	"math/rand/v2"

	"selfplay/engine"
)

// AlphaBetaOptions say how far AlphaBeta looks. At least one of Depth and Nodes is
// not 0.
type AlphaBetaOptions struct {
	Depth   int     // turns to look ahead before quiescence, to MaxDepth; 0 leaves it to Nodes
	Nodes   uint64  // stop at so many positions, see Search; 0 leaves it to Depth
	Hash    int     // MiB of the transposition table, to MaxHash; 0 for none. 1 stays in the cache and does for 50,000 positions
	Multi   int     // best moves whose scores are exact; 0 means 1
	Shuffle bool    // let src decide which of equally good moves is found first
	Off     Feature // what to do without, for tests and measurements
}

// The largest values of options.
const (
	MaxDepth = 64
	MaxHash  = 1 << 16
)

// Feature is a set of parts of AlphaBeta that only make it faster.
type Feature uint8

// The features that can be turned off.
const (
	Aspiration Feature = 1 << iota // begin with a window around the last score
	Scout                          // look with a closed window first: principal variation search
	Gains                          // captures in order of what they win
	Killers                        // then moves that refuted a sibling
	History                        // then moves that refuted something before
)

// Validate returns what is wrong with the options, nil if nothing is.
func (o AlphaBetaOptions) Validate() error {
	switch {
	case o.Depth < 0 || o.Depth > MaxDepth:
		return fmt.Errorf("set depth %d: want 0 to %d", o.Depth, MaxDepth)
	case o.Depth == 0 && o.Nodes == 0:
		return errors.New("set depth and nodes: want one of them above 0")
	case o.Hash < 0 || o.Hash > MaxHash:
		return fmt.Errorf("set hash %d: want 0 to %d MiB", o.Hash, MaxHash)
	case o.Multi < 0:
		return fmt.Errorf("set multi %d: want 0 or more", o.Multi)
	}
	return nil
}

// AlphaBeta is the classic search: iterative deepening, alpha-beta, quiescence.
// Nothing in it is a gamble: a finished iteration has the value of plain minimax.
type AlphaBeta struct {
	options AlphaBetaOptions

	// Of the search under way.
	p       engine.Evaluator
	nodes   uint64
	limit   uint64
	stopped bool

	lines  []RootMove // root moves in the order of this iteration, see root
	done   []RootMove // as the last finished iteration left them
	moves  []engine.Move
	frames [maxPly + 1]frame
	table  table
	past   history
}

// NewAlphaBeta returns a searcher for one goroutine. Invalid options are a bug of
// the caller; ask Validate.
func NewAlphaBeta(o AlphaBetaOptions) *AlphaBeta {
	if err := o.Validate(); err != nil {
		panic("search: " + err.Error())
	}
	if o.Depth == 0 {
		o.Depth = MaxDepth
	}
	o.Multi = max(o.Multi, 1)
	return &AlphaBeta{options: o, table: newTable(o.Hash)}
}

// Search deepens until Depth is done, the end of the game is proven, or Nodes are
// used up. The first iteration is always finished; of a later one that is not,
// nothing is told, so that all lines come from one depth. The first Multi lines are
// exact and in order of score; the others have bounds and stand as they were looked
// at.
func (s *AlphaBeta) Search(p engine.Evaluator, src *rand.PCG) Result {
	s.begin(p)
	if p.Over() {
		return Result{}
	}
	s.listRoot(src)
	finished, score := 0, p.Evaluate()
	for depth := 1; depth <= s.options.Depth && len(s.lines) > 0; depth++ {
		s.table.nextIteration()
		score = s.iterate(depth, score)
		if s.stopped {
			break
		}
		finished = depth
		s.done = append(s.done[:0], s.lines...)
		if s.settled(score, depth) || s.spent() {
			break
		}
	}
	return answer(s.done, s.nodes, finished)
}

// begin forgets the search before.
func (s *AlphaBeta) begin(p engine.Evaluator) {
	s.p, s.nodes, s.limit, s.stopped = p, 0, ^uint64(0), false
	s.lines, s.done = s.lines[:0], s.done[:0]
	s.table.nextSearch()
	s.past.forget()
	for ply := 1; ply < len(s.frames) && s.frames[ply].used; ply++ {
		s.frames[ply].forget()
	}
}

// listRoot lists the root moves, captures first by what they win.
func (s *AlphaBeta) listRoot(src *rand.PCG) {
	s.moves = s.p.Moves(s.moves[:0])
	for _, m := range s.moves {
		s.lines = append(s.lines, RootMove{Move: m})
	}
	if s.options.Shuffle {
		shuffle(s.lines, src)
	}
	if s.options.Off&Gains == 0 {
		sortByGain(s.lines, s.p)
	}
}

// settled reports that a deeper search cannot change the score: the game's end is
// proven, and no way to it is longer than what was looked at in full width.
func (s *AlphaBeta) settled(score, depth int) bool {
	return s.options.Multi == 1 && max(score, -score) >= MateScore-depth
}

// spent sets the node limit for the iterations after the first, and reports
// whether it is reached already.
func (s *AlphaBeta) spent() bool {
	if s.options.Nodes > 0 {
		s.limit = s.options.Nodes
	}
	return s.nodes >= s.limit
}

// window is how far the score is expected to stray from one iteration to the next.
const window = 50

// iterate searches the root to a depth and returns its score. If a single score is
// wanted, it tries a window around the last one, the first time the static one.
func (s *AlphaBeta) iterate(depth, last int) int {
	lo, hi := -infinite, infinite
	if s.options.Multi == 1 && s.options.Off&Aspiration == 0 && !proven(last) {
		lo, hi = last-window, last+window
	}
	for {
		score := s.root(depth, lo, hi)
		switch {
		case s.stopped:
			return score
		case score <= lo && lo > -infinite:
			lo = -infinite
		case score >= hi && hi < infinite:
			hi = infinite
		default:
			return score
		}
	}
}

// root looks at all root moves. It keeps the lines in this order: exact ones by
// score, then those with bounds, then those to come.
func (s *AlphaBeta) root(depth, lo, hi int) int {
	us, exact, best := s.p.Turn(), 0, -infinite
	for i := range s.lines {
		alpha := lo
		if exact >= s.options.Multi {
			alpha = max(lo, s.lines[s.options.Multi-1].Score)
		}
		m := s.lines[i].Move
		s.p.Do(m)
		score, _ := s.scout(us, depth-1, alpha, hi, 1, exact >= s.options.Multi)
		s.p.Undo()
		if s.stopped {
			return best
		}
		best = max(best, score)
		line := RootMove{Move: m, Score: score, Exact: score > alpha}
		s.lines[i] = line
		if !line.Exact {
			continue
		}
		at := i
		for at > 0 && (at > exact || s.lines[at-1].Score < score) {
			at--
		}
		copy(s.lines[at+1:i+1], s.lines[at:i])
		s.lines[at] = line
		exact++
		if score >= hi {
			break
		}
	}
	return best
}
