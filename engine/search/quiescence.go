package search

import "selfplay/engine"

// Quiescence search resolves captures at the horizon. The side to move may stand pat,
// that is accept the static score, or play a capture whose Gain is not negative. In
// check it may not stand pat, and all moves are searched. If a capture leaves the turn
// open, standing pat means ending the turn there. It uses no table: to look a position up
// costs more than it saves.
//
// See chessprogramming.org/Quiescence_Search.

// quiescence returns the score of a node at the horizon or below it, which is not over.
func (s *AlphaBeta) quiescence(alpha, beta, ply int, check bool) (best int) {
	p, f := s.p, s.frame(ply)
	if check {
		best = -infinite
		f.moves = p.Moves(f.moves[:0])
		if len(f.moves) == 0 {
			return terminalScore(p, ply)
		}
		s.keyByGain(f, -infinite)
	} else {
		best = s.staticOf(f)
		if best >= beta {
			return best
		}
		least := 0
		if s.on(Delta) { // captures that cannot bring the score near alpha: chessprogramming.org/Delta_Pruning
			least = max(least, alpha-best-s.tuning.Delta)
		}
		s.listGaining(f, least)
		alpha = max(alpha, best)
	}
	us := p.Turn()
	for m, ok := s.pick(f); ok; m, ok = s.pick(f) {
		p.Do(m)
		score := s.quiescenceChild(us, alpha, beta, ply+1)
		p.Undo()
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

// quiescenceChild is child below the horizon.
func (s *AlphaBeta) quiescenceChild(us engine.Side, alpha, beta, ply int) int {
	if s.p.Turn() == us {
		return s.quiescenceNode(alpha, beta, ply)
	}
	return -s.quiescenceNode(-beta, -alpha, ply)
}

// quiescenceNode is node below the horizon.
func (s *AlphaBeta) quiescenceNode(alpha, beta, ply int) int {
	s.frames[ply].known = noStatic
	switch {
	case !s.countNode():
		return 0
	case s.p.Over():
		return terminalScore(s.p, ply)
	case ply == maxPly:
		return s.static()
	}
	return s.quiescence(alpha, beta, ply, s.p.Check())
}
