package search_test

import (
	"errors"
	"slices"

	"selfplay/engine"
	"selfplay/engine/search"
)

// plain is minimax as the books have it, without any way of saving work: what
// AlphaBeta must agree with. It shares no code with it.
type plain struct {
	p      engine.Evaluator
	budget int // positions that it may look at

	// What quiet found about texts. Without it the orders in which the same captures
	// can be made would be too many in the larger games.
	seen map[string]int
}

func newPlain(p engine.Evaluator, budget int) *plain {
	return &plain{p, budget, map[string]int{}}
}

var errBudget = errors.New("too many positions for plain minimax")

// best returns the score of the root and the scores of its moves, as listed.
func (r *plain) best(depth int) (best int, scores []int, err error) {
	best = -search.MateScore
	us := r.p.Turn()
	for _, m := range r.p.Moves(nil) {
		r.p.Do(m)
		score := r.after(us, depth-1, 1)
		r.p.Undo()
		scores = append(scores, score)
		best = max(best, score)
	}
	if r.budget < 0 {
		err = errBudget
	}
	return best, scores, err
}

// after returns the value of the position after a move of us, for us.
func (r *plain) after(us engine.Side, depth, ply int) int {
	if r.p.Turn() == us {
		return r.value(depth, ply, true)
	}
	return -r.value(depth, ply, false)
}

// value returns the value for the side to move.
func (r *plain) value(depth, ply int, open bool) int {
	r.budget--
	switch {
	case r.budget < 0:
		return 0
	case r.p.Over():
		return r.end(ply)
	case depth == 0 && !open:
		return r.quiet(ply)
	}
	if !open {
		depth--
	}
	return r.all(r.p.Moves(nil), ply, func(us engine.Side) int { return r.after(us, depth, ply+1) })
}

// all returns the best of some moves, or the end if there are none.
func (r *plain) all(list []engine.Move, ply int, after func(us engine.Side) int) int {
	if len(list) == 0 {
		return r.end(ply)
	}
	best, us := -search.MateScore, r.p.Turn()
	for _, m := range list {
		r.p.Do(m)
		best = max(best, after(us))
		r.p.Undo()
	}
	return best
}

// quiet is the value at the horizon, which is the same for both.
func (r *plain) quiet(ply int) int {
	text := r.p.String()
	if score, ok := r.seen[text]; ok {
		return later(score, ply)
	}
	score := r.stand()
	r.seen[text] = score
	return later(score, ply)
}

// stand is quiet as if the position were the root.
func (r *plain) stand() int {
	below := func(us engine.Side) int {
		r.budget--
		score := 0
		switch {
		case r.budget < 0:
			return 0
		case r.p.Over():
			score = r.end(1)
		default:
			score = r.quiet(1)
		}
		if r.p.Turn() != us {
			return -score
		}
		return score
	}
	if r.p.Check() {
		return r.all(r.p.Moves(nil), 0, below)
	}
	stand := r.p.Evaluate()
	list := slices.DeleteFunc(r.p.Captures(nil), func(m engine.Move) bool { return r.p.Gain(m) < 0 })
	if len(list) > 0 {
		return max(stand, r.all(list, 0, below))
	}
	return stand
}

// later returns a score that was found some plies further down: ends move away.
func later(score, plies int) int {
	switch {
	case score > engine.MaxStatic:
		return score - plies
	case score < -engine.MaxStatic:
		return score + plies
	}
	return score
}

// end is the value where the game is over.
func (r *plain) end(ply int) int {
	switch o := r.p.Outcome(); o.Result {
	case engine.Win(r.p.Turn()):
		return search.MateScore - ply
	case engine.Win(r.p.Turn().Other()):
		return ply - search.MateScore
	}
	return 0
}
