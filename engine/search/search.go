package search

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"

	"selfplay/engine"
)

// Searcher searches one position at a time. It keeps memory between searches but no
// results; AlphaBeta with the option Keep keeps its table from NewGame on. A Searcher is not safe for
// concurrent use.
type Searcher interface {
	// Search returns every legal move of p with its score; no moves if the game is
	// over. The Result belongs to the searcher and is valid until the next Search.
	// Search plays moves on p and takes all of them back before it returns. Greedy and
	// the options Shuffle, Noise, Gumbel, Cheap and Rollout draw from src; otherwise src may be nil.
	// p is an engine.Evaluator, unless a Model scores positions.
	Search(p engine.Position, src *rand.PCG) Result
}

// Result is the outcome of one search.
type Result struct {
	Moves []RootMove // every legal move, the best first
	Score int        // of Moves[0]; 0 without moves
	Nodes uint64     // positions visited: calls of Do, repeated visits included
	Depth int        // last completed iteration (AlphaBeta), longest path in plies (MCTS), 1 (Greedy)
	End   End        // what ended the search, unless Aborted

	// Aborted reports that Abort ended the search. Moves then has the best move so far first.
	// Without any score it is not Exact. Nothing of such a result may be recorded.
	Aborted bool
	// Cheap reports a cheap search of MCTS: see MCTSOptions.
	Cheap bool
	// Err is why a Model failed. The search is then aborted.
	Err error
}

// End is what ended a search of AlphaBeta. Other searches end as they must: Complete.
type End uint8

// The ends of a search.
const (
	Complete End = iota // all iterations are done, or the end of the game is proven
	ByNodes             // the limit Nodes
	ByHard              // the limit Hard stopped an iteration, or kept the search from another one
)

// RootMove is a legal move at the root with what the search found.
type RootMove struct {
	Move engine.Move
	// Score is the score after the move from the view of the side to move at the root,
	// between -MateScore and MateScore. Beyond ±engine.MaxStatic it is a proven end.
	Score int
	// Exact reports that Score is the move's score at this depth. If it is false, Score
	// is an upper bound (AlphaBeta) or meaningless (MCTS).
	Exact  bool
	Weight uint16 // policy weight, 0 for a move left out; MCTS only
	Visits uint32 // simulations that began with the move; MCTS only
}

// MateScore is the score of a game that is won now. A win in n plies scores MateScore-n
// and a loss in n plies n-MateScore, so a search prefers the shortest win and the
// longest loss. All scores fit in an int16.
const MateScore = 30_000

// infinite is larger than every score.
const infinite = MateScore + 1

// maxPly is the largest distance from the root that a search reaches. It bounds memory
// only; turns and capture sequences end long before it.
const maxPly = 256

// isProven reports whether a score is a proven win or loss.
func isProven(score int) bool { return score > engine.MaxStatic || score < -engine.MaxStatic }

// terminalScore returns the score of a finished game from the view of the side to move.
func terminalScore(p engine.Position, ply int) int {
	return int(p.Outcome().For(p.Turn())) * (MateScore - ply)
}

// shuffle permutes moves; src draws every order with equal probability.
func shuffle(moves []RootMove, src *rand.PCG) {
	for i := len(moves) - 1; i > 0; i-- {
		j := engine.Below(src, uint32(i+1))
		moves[i], moves[j] = moves[j], moves[i]
	}
}

// Abort reports whether to end a search early, for example because a context has ended. A search
// calls it now and then, on its own goroutine. It belongs to no plan: a search that it does not end
// does not depend on it. nil ends no search.
type Abort func() bool

// abortInterval is how many nodes a search visits between two calls of Abort: a few milliseconds
// at most.
const abortInterval = 1024

// Scorer computes static scores in place of Evaluate, as a network does. One searcher owns
// it.
type Scorer interface {
	// Begin prepares for the scores of p and of positions that moves on p lead to.
	Begin(p engine.Evaluator)
	// Score returns the static score of p as it is now, with the view and the bounds of
	// Evaluate. It must depend only on what Hash covers.
	Score() int
}

// Policy is a Scorer that also rates moves, as a network with a policy head does.
type Policy interface {
	Scorer
	// AppendLogits appends the logit of each of some legal moves of p as it is now, in hundredths,
	// within ±engine.MaxStatic. They must depend only on what String contains.
	AppendLogits(dst []int32, moves []engine.Move) []int32
}

// staticScore returns the score of a scorer that has begun with p, or of p if it is nil.
func staticScore(s Scorer, p engine.Evaluator) int {
	if s != nil {
		return s.Score()
	}
	return p.Evaluate()
}

// newResult returns a Result of ordered moves.
func newResult(moves []RootMove, nodes uint64, depth int) Result {
	r := Result{Moves: moves, Nodes: nodes, Depth: depth}
	if len(moves) > 0 {
		r.Score = moves[0].Score
	}
	return r
}

var (
	_ Searcher = (*Greedy)(nil)
	_ Searcher = (*AlphaBeta)(nil)
	_ Searcher = (*MCTS)(nil)
)

// Greedy searches one ply: the score of a move is the static score after it, or the
// outcome if the move ends the game. Moves with equal scores are in random order. Such a search is
// too short to be aborted; only a Model that fails ends it early.
type Greedy struct {
	scorer    Scorer
	model     Model // nil without one
	scale     int   // of the model's values as scores
	err       error // of the model
	moves     []engine.Move
	rootMoves []RootMove
}

// NewGreedy returns a Greedy for one goroutine. Static scores come from the scorer, or from
// Evaluate if it is nil.
func NewGreedy(scorer Scorer) *Greedy { return &Greedy{scorer: scorer} }

// NewModelGreedy returns a Greedy for one goroutine. Static scores are the values of a model, as
// scores on the logistic curve with a scale in centi-units (see MCTSOptions).
func NewModelGreedy(m Model, scale int) *Greedy { return &Greedy{model: m, scale: scale} }

// Search scores every move exactly. It shuffles the moves by src and then sorts them by
// score.
func (g *Greedy) Search(p engine.Position, src *rand.PCG) Result {
	g.rootMoves, g.err = g.rootMoves[:0], nil
	if p.Outcome() != engine.Ongoing {
		return Result{}
	}
	if g.scorer != nil {
		g.scorer.Begin(p.(engine.Evaluator))
	}
	g.moves = p.Moves(g.moves[:0])
	us := p.Turn()
	for _, m := range g.moves {
		p.Do(m)
		r := RootMove{Move: m, Score: g.scoreAfterMove(p, us), Exact: true}
		if g.err != nil {
			r.Score, r.Exact = -MateScore, false
		}
		g.rootMoves = append(g.rootMoves, r)
		p.Undo()
	}
	shuffle(g.rootMoves, src)
	slices.SortStableFunc(g.rootMoves, func(a, b RootMove) int { return cmp.Compare(b.Score, a.Score) })
	r := newResult(g.rootMoves, uint64(len(g.rootMoves)), min(len(g.rootMoves), 1))
	r.Aborted, r.Err = g.err != nil, g.err
	return r
}

// scoreAfterMove returns the score of the position one ply below the root from the view
// of us.
func (g *Greedy) scoreAfterMove(p engine.Position, us engine.Side) int {
	if p.Outcome() != engine.Ongoing {
		return viewOf(us, p, terminalScore(p, 1))
	}
	if g.model != nil {
		return viewOf(us, p, g.modelScore(p))
	}
	return viewOf(us, p, staticScore(g.scorer, p.(engine.Evaluator)))
}

// modelScore returns the score of the position by the model. After a failure it asks no more.
func (g *Greedy) modelScore(p engine.Position) (score int) {
	if g.err != nil {
		return 0
	}
	value, err := ask(g.model, p, nil, nil)
	g.err = err
	return scoreOf(value, g.scale)
}

// viewOf converts a score from the view of the side to move to the view of us.
func viewOf(us engine.Side, p engine.Position, score int) int {
	if p.Turn() == us {
		return score
	}
	return -score
}

// Liner is a searcher that can say how it expects the game to go on.
type Liner interface {
	// Line returns the principal variation of the last search, which was in p and was not aborted: the
	// best move, then what is known of the moves after it, at most limit of them. It plays on p and takes all
	// moves back.
	Line(p engine.Position, limit int) []engine.Move
}

// Model evaluates positions in place of Evaluate and of priors, as a network outside this module
// does. One searcher owns it. Its answers are integers, so that every tree is the same on every
// machine.
type Model interface {
	// Evaluate returns the value of p as it is now: the expected result of the side to move in
	// 16384ths, from -ModelOne (loss) to ModelOne (win). It sets logits[i] to the logit of moves[i]
	// in hundredths. moves are the legal moves of p, or none: then only the value is asked. The
	// answer must depend only on what String contains.
	//
	// Evaluate may block, for example until a batch is full. An error ends the search. Evaluate
	// changes neither p nor moves and keeps no argument.
	Evaluate(p engine.Position, moves []engine.Move, logits []int16) (value int16, err error)
}

// ModelOne is the value of a position that is won, as a Model returns it.
const ModelOne = 1 << 14

// ask returns the value of p by a model in 65536ths, and sets the logits of moves. An error names
// the position.
func ask(m Model, p engine.Position, moves []engine.Move, logits []int16) (value int, err error) {
	v, err := m.Evaluate(p, moves, logits)
	if err == nil && (v < -ModelOne || v > ModelOne) {
		err = fmt.Errorf("value %d: want %d to %d", v, -ModelOne, ModelOne)
	}
	if err != nil {
		return 0, fmt.Errorf("evaluate position %q: %w", p, err)
	}
	return int(v) * (one / ModelOne), nil
}
