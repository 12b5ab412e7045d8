package search

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"selfplay/engine"
)

// Greedy searches one ply: the score of a move is the static score after it, or the
// outcome if the move ends the game. Moves with equal scores are in random order. Such a search is
// too short to be aborted.
type Greedy struct {
	scorer    Scorer
	moves     []engine.Move
	rootMoves []RootMove
}

// NewGreedy returns a Greedy for one goroutine. Static scores come from the scorer, or from
// Evaluate if it is nil.
func NewGreedy(scorer Scorer) *Greedy { return &Greedy{scorer: scorer} }

// Search scores every move exactly. It shuffles the moves by src and then sorts them by
// score.
func (g *Greedy) Search(p engine.Evaluator, src *rand.PCG) Result {
	g.rootMoves = g.rootMoves[:0]
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
		g.rootMoves = append(g.rootMoves, RootMove{Move: m, Score: g.scoreAfterMove(p, us), Exact: true})
		p.Undo()
	}
	shuffle(g.rootMoves, src)
	slices.SortStableFunc(g.rootMoves, func(a, b RootMove) int { return cmp.Compare(b.Score, a.Score) })
	return newResult(g.rootMoves, uint64(len(g.rootMoves)), min(len(g.rootMoves), 1))
}

// scoreAfterMove returns the score of the position one ply below the root from the view
// of us. It uses Outcome instead of Over, because checkmate and stalemate count too.
func (g *Greedy) scoreAfterMove(p engine.Evaluator, us engine.Side) int {
	if p.Outcome() != engine.Ongoing {
		score, _ := terminalScore(p, 1)
		return viewOf(us, p, score)
	}
	return viewOf(us, p, staticScore(g.scorer, p))
}

// viewOf converts a score from the view of the side to move to the view of us.
func viewOf(us engine.Side, p engine.Position, score int) int {
	if p.Turn() == us {
		return score
	}
	return -score
}
