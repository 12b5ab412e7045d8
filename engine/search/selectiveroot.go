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

// rootReduction returns by how much to reduce the depth of root move i.
func (s *AlphaBeta) rootReduction(m engine.Move, i, depth int, later bool) int {
	if !s.options.Selective || !later || i < reduceFrom || !s.on(LateMoveReductions) || s.gain(m) != 0 {
		return 0
	}
	return max(reductionOf(depth, i)-100, 0) / 100
}

// keepUnfinished keeps the result of an iteration that the hard limit stopped, if as many
// of its moves are exact as are wanted. Its first move was searched deeper than before, and
// a better one was found or not.
func (s *AlphaBeta) keepUnfinished() {
	if s.options.Selective && s.exact >= s.options.Multi {
		s.completed = append(s.completed[:0], s.rootMoves...)
	}
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
