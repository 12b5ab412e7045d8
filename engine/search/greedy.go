package search

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"selfplay/engine"
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
func (g *Greedy) Search(p engine.Evaluator, src *rand.PCG) Result {
	g.rootMoves, g.err = g.rootMoves[:0], nil
	if p.Over() {
		return Result{}
	}
	if g.scorer != nil {
		g.scorer.Begin(p)
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
// of us. It uses Outcome instead of Over, because checkmate and stalemate count too.
func (g *Greedy) scoreAfterMove(p engine.Evaluator, us engine.Side) int {
	if p.Outcome() != engine.Ongoing {
		return viewOf(us, p, terminalScore(p, 1))
	}
	if g.model != nil {
		return viewOf(us, p, g.modelScore(p))
	}
	return viewOf(us, p, staticScore(g.scorer, p))
}

// modelScore returns the score of the position by the model. After a failure it asks no more.
func (g *Greedy) modelScore(p engine.Evaluator) (score int) {
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
