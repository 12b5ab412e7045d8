package search_test

import (
	"errors"
	"slices"

	"selfplay/engine"
	"selfplay/engine/search"
)

// minimax is textbook minimax with quiescence, without pruning. It is the reference for
// AlphaBeta and shares no code with it.
type minimax struct {
	p      engine.Evaluator
	budget int // nodes left

	// Quiescence scores by position text. Without this cache the permutations of
	// captures are too many in the larger games.
	cache map[string]int
}

func newMinimax(p engine.Evaluator, budget int) *minimax {
	return &minimax{p, budget, map[string]int{}}
}

var errBudget = errors.New("minimax exceeds its node budget")

// search returns the score of the root and of each root move, in the order of Moves.
func (r *minimax) search(depth int) (best int, scores []int, err error) {
	best = -search.MateScore
	us := r.p.Turn()
	for _, m := range r.p.Moves(nil) {
		r.p.Do(m)
		score := r.child(us, depth-1, 1)
		r.p.Undo()
		scores = append(scores, score)
		best = max(best, score)
	}
	if r.budget < 0 {
		err = errBudget
	}
	return best, scores, err
}

// child returns the score of the position after a move of us, from the view of us.
func (r *minimax) child(us engine.Side, depth, ply int) int {
	if r.p.Turn() == us {
		return r.node(depth, ply, true)
	}
	return -r.node(depth, ply, false)
}

// node returns the score from the view of the side to move.
func (r *minimax) node(depth, ply int, open bool) int {
	r.budget--
	switch {
	case r.budget < 0:
		return 0
	case r.p.Over():
		return r.terminal(ply)
	case depth == 0 && !open:
		return r.quiescence(ply)
	}
	if !open {
		depth--
	}
	return r.best(r.p.Moves(nil), ply, func(us engine.Side) int { return r.child(us, depth, ply+1) })
}

// best returns the best score of some moves, or the outcome without moves.
func (r *minimax) best(moves []engine.Move, ply int, score func(us engine.Side) int) int {
	if len(moves) == 0 {
		return r.terminal(ply)
	}
	best, us := -search.MateScore, r.p.Turn()
	for _, m := range moves {
		r.p.Do(m)
		best = max(best, score(us))
		r.p.Undo()
	}
	return best
}

// quiescence returns the quiescence score of a position at a ply.
func (r *minimax) quiescence(ply int) int {
	text := r.p.String()
	if score, ok := r.cache[text]; ok {
		return addPlies(score, ply)
	}
	score := r.quiescenceRoot()
	r.cache[text] = score
	return addPlies(score, ply)
}

// quiescenceRoot returns the quiescence score with the position at ply 0.
func (r *minimax) quiescenceRoot() int {
	child := func(us engine.Side) int {
		r.budget--
		score := 0
		switch {
		case r.budget < 0:
			return 0
		case r.p.Over():
			score = r.terminal(1)
		default:
			score = r.quiescence(1)
		}
		if r.p.Turn() != us {
			return -score
		}
		return score
	}
	if r.p.Check() {
		return r.best(r.p.Moves(nil), 0, child)
	}
	standPat := r.p.Evaluate()
	captures := slices.DeleteFunc(r.p.Captures(nil), func(m engine.Move) bool { return r.p.Gain(m) < 0 })
	if len(captures) > 0 {
		return max(standPat, r.best(captures, 0, child))
	}
	return standPat
}

// addPlies moves a proven end further away from the root.
func addPlies(score, plies int) int {
	switch {
	case score > engine.MaxStatic:
		return score - plies
	case score < -engine.MaxStatic:
		return score + plies
	}
	return score
}

// terminal returns the score of a finished game.
func (r *minimax) terminal(ply int) int {
	switch o := r.p.Outcome(); o.Result {
	case engine.Win(r.p.Turn()):
		return search.MateScore - ply
	case engine.Win(r.p.Turn().Other()):
		return ply - search.MateScore
	}
	return 0
}
