package search

import (
	"math/rand/v2"

	"selfplay/engine"
)

// Searcher looks into positions, one after the other. It keeps memory between
// searches but nothing that it found: an answer depends on the position, the
// history that the position knows of, the options and what it draws from src. So
// nobody has to tell a searcher where a game begins. One goroutine uses it.
type Searcher interface {
	// Search returns what it finds about p: no lines where the game is over. The
	// answer belongs to the searcher and is good until the next search. p is played
	// on meanwhile and is as it was when Search returns. src may be nil if nothing is
	// left to chance: Greedy, Shuffle, Noise and Rollout draw from it.
	Search(p engine.Evaluator, src *rand.PCG) Result
}

// Result is what a search found.
type Result struct {
	Lines []RootMove // every legal move, in order of merit, the best first
	Score int        // of the best line; 0 if there is none
	Nodes uint64     // positions looked at: moves played, each time anew
	Depth int        // the last iteration that was finished; of a tree the longest path; 1 for Greedy
}

// RootMove is a move and what the search says about it.
type RootMove struct {
	Move engine.Move
	// Score is the side to move's view of what follows, between -MateScore and
	// MateScore: centi-units within ±engine.MaxStatic, beyond that proven ends.
	Score int
	// Exact tells that Score is what the search makes of the move. Otherwise it is
	// only an upper bound, of AlphaBeta, or, of MCTS, nothing at all.
	Exact  bool
	Visits uint32 // playouts that began with the move; MCTS only
}

// MateScore is the score of a game that is won here. A win in n plies is worth
// MateScore-n, a loss in n plies n-MateScore, so that a search prefers the short way
// to a win and the long way to a loss. All scores fit in 16 bits.
const MateScore = 30_000

// infinite lies beyond every score.
const infinite = MateScore + 1

// maxPly is how far below the root a search goes at most. It only guards memory:
// turns end, and so do captures.
const maxPly = 256

// proven reports whether a score tells how the game ends.
func proven(score int) bool { return score > engine.MaxStatic || score < -engine.MaxStatic }

// ended returns the score of a game that is over, as the side to move sees it. A
// draw by repetition or by a clock depends on how the position was reached, and
// its value is good on this path alone: then it is not pure.
func ended(p engine.Position, ply int) (score int, pure bool) {
	o := p.Outcome()
	pure = o.Reason != engine.Repetition && o.Reason != engine.Fifty
	return int(o.For(p.Turn())) * (MateScore - ply), pure
}

// shuffle puts lines into an order drawn from src, all orders equally likely.
func shuffle(lines []RootMove, src *rand.PCG) {
	for i := len(lines) - 1; i > 0; i-- {
		j := engine.Below(src, uint32(i+1))
		lines[i], lines[j] = lines[j], lines[i]
	}
}

// answer returns lines in order as an answer.
func answer(lines []RootMove, nodes uint64, depth int) Result {
	a := Result{Lines: lines, Nodes: nodes, Depth: depth}
	if len(lines) > 0 {
		a.Score = lines[0].Score
	}
	return a
}

var (
	_ Searcher = (*Greedy)(nil)
	_ Searcher = (*AlphaBeta)(nil)
	_ Searcher = (*MCTS)(nil)
)
