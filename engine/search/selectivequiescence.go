package search

import "selfplay/engine"

// selectiveQuiescence is quiescence without the table and with delta pruning: a capture
// that cannot bring the score near alpha is skipped. See chessprogramming.org/Delta_Pruning.
func (s *AlphaBeta) selectiveQuiescence(alpha, beta, ply int, check bool) (best int) {
	p, f := s.p, s.frame(ply)
	if check {
		best = -infinite
		f.moves = p.Moves(f.moves[:0])
		if len(f.moves) == 0 {
			score, _ := terminalScore(p, ply)
			return score
		}
		s.keyByGain(f, 0, -infinite)
	} else {
		best = s.staticOf(f)
		if best >= beta {
			return best
		}
		least := 0 // gain of a capture
		if s.on(Delta) {
			least = max(least, alpha-best-s.tuning.Delta)
		}
		s.listGaining(f, 0, least)
	}
	return s.selectiveCaptures(f, max(alpha, best), beta, best, ply)
}

// selectiveCaptures searches the moves listed in f.
func (s *AlphaBeta) selectiveCaptures(f *frame, alpha, beta, best, ply int) int {
	us := s.p.Turn()
	for m, ok := s.pick(f); ok; m, ok = s.pick(f) {
		s.p.Do(m)
		score := s.selectiveQuiescenceChild(us, alpha, beta, ply+1)
		s.p.Undo()
		if s.stopped {
			return 0
		}
		best = max(best, score)
		if score >= beta {
			return best
		}
		alpha = max(alpha, score)
	}
	return best
}

// selectiveQuiescenceChild is selectiveChild below the horizon.
func (s *AlphaBeta) selectiveQuiescenceChild(us engine.Side, alpha, beta, ply int) int {
	if s.p.Turn() == us {
		return s.selectiveQuiescenceNode(alpha, beta, ply)
	}
	return -s.selectiveQuiescenceNode(-beta, -alpha, ply)
}

// selectiveQuiescenceNode is selectiveNode below the horizon.
func (s *AlphaBeta) selectiveQuiescenceNode(alpha, beta, ply int) int {
	s.frames[ply].known = noStatic
	switch {
	case !s.countNode():
		return 0
	case s.p.Over():
		score, _ := terminalScore(s.p, ply)
		return score
	case ply == maxPly:
		return s.static()
	}
	return s.selectiveQuiescence(alpha, beta, ply, s.p.Check())
}
