package search

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"selfplay/engine"
)

// Greedy looks one ply ahead: it plays each legal move and takes the static score
// of what follows, or the outcome where the game ends. Chance orders equals.
type Greedy struct {
	moves []engine.Move
	lines []RootMove
}

// NewGreedy returns a searcher for one goroutine.
func NewGreedy() *Greedy { return new(Greedy) }

// Search scores every move exactly. It draws one number from src a move.
func (g *Greedy) Search(p engine.Evaluator, src *rand.PCG) Result {
	g.lines = g.lines[:0]
	if p.Over() {
		return Result{}
	}
	g.moves = p.Moves(g.moves[:0])
	us := p.Turn()
	for _, m := range g.moves {
		p.Do(m)
		g.lines = append(g.lines, RootMove{Move: m, Score: staticAfter(p, us), Exact: true})
		p.Undo()
	}
	shuffle(g.lines, src)
	slices.SortStableFunc(g.lines, func(a, b RootMove) int { return cmp.Compare(b.Score, a.Score) })
	return answer(g.lines, uint64(len(g.lines)), min(len(g.lines), 1))
}

// staticAfter returns the score of a position one ply below the root as us sees
// it. Every end counts here, so it asks for the outcome.
func staticAfter(p engine.Evaluator, us engine.Side) int {
	if p.Outcome() != engine.Ongoing {
		score, _ := ended(p, 1)
		return seenBy(us, p, score)
	}
	return seenBy(us, p, p.Evaluate())
}

// seenBy turns a score of the side to move into one of us. It is the only place
// where a finished score changes sides; search windows do it in child.
func seenBy(us engine.Side, p engine.Position, score int) int {
	if p.Turn() == us {
		return score
	}
	return -score
}
