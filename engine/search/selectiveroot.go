package search

import "selfplay/engine"

// rootMove returns the score of root move m, which has been played. later says that enough
// moves are exact already.
func (s *AlphaBeta) rootMove(us engine.Side, m engine.Move, depth, reduction, alpha, beta int, later bool) int {
	switch {
	case !s.options.Selective:
		score, _ := s.scout(us, depth-1, alpha, beta, 1, later)
		return score
	case later:
		s.frames[0].played = m
		return s.laterChild(us, depth-1, reduction, alpha, beta, 1)
	}
	s.frames[0].played = m
	return s.selectiveChild(us, depth-1, alpha, beta, 1)
}

// iterationCosts predicts the nodes of iterations. They grow in steps of one and two turns, so
// the largest factor so far counts.
type iterationCosts struct{ last, factor uint64 }

// next adds an iteration and returns how many nodes the next one may need, 0 if unknown.
func (c *iterationCosts) next(nodes uint64) uint64 {
	if c.last > 0 {
		c.factor = max(c.factor, nodes/c.last)
	}
	c.last = max(nodes, 1)
	return nodes * c.factor
}

// stablePercent is the share of Nodes that ends a search, by the number of iterations since the best move
// changed: a move that stays is probably right.
var stablePercent = [...]uint64{160, 110, 80, 60}

// noteStability compares the best move of an iteration with that of the one before.
func (s *AlphaBeta) noteStability(depth int) {
	if depth == 1 || s.rootMoves[0].Move != s.completed[0].Move {
		s.stable = 0
		return
	}
	s.stable = min(s.stable+1, len(stablePercent)-1)
}

// softLimit returns the number of nodes after which no iteration begins.
func (s *AlphaBeta) softLimit() uint64 {
	if !s.on(Stability) {
		return s.options.Nodes
	}
	return s.options.Nodes * stablePercent[s.stable] / 100
}

// keepUnfinished keeps the result of an iteration that the hard limit stopped, if as many
// of its moves are exact as are wanted. Its first move was searched deeper than before, and
// a better one was found or not.
func (s *AlphaBeta) keepUnfinished() {
	if s.options.Selective && s.exact >= s.options.Multi {
		s.completed = append(s.completed[:0], s.rootMoves...)
	}
}

// keepAborted makes the moves of an aborted search its result if no iteration was completed. The
// scores of an unfinished one are scores only of moves that are exact in its last window.
func (s *AlphaBeta) keepAborted() {
	if len(s.completed) > 0 {
		return
	}
	s.completed = append(s.completed, s.rootMoves...)
	s.completed[0].Exact = s.exact > 0
}

// widen returns the new bound of the aspiration window after score reached the old one. The
// selective search opens the window step by step.
func (s *AlphaBeta) widen(score, step int) int {
	switch bound := score + step; {
	case s.options.Selective && !isProven(bound):
		return bound
	case step < 0:
		return -infinite
	}
	return infinite
}
