package search

import "selfplay/engine"

// Quiescence search resolves captures at the horizon. The side to move may stand pat,
// that is accept the static score, or play a capture whose Gain is not negative. In
// check it may not stand pat, and all moves are searched. If a capture leaves the turn
// open, standing pat means ending the turn there.
//
// See chessprogramming.org/Quiescence_Search.

// quiescenceDepth marks entries of quiescence in the transposition table.
const quiescenceDepth = 255

// quiescence searches a node at the horizon or below it.
func (s *AlphaBeta) quiescence(alpha, beta, ply int) (best int, storable bool) {
	p := s.p
	key, tableMove := uint64(0), engine.Move(0)
	if s.table.enabled() {
		var cutoff bool
		key = p.Hash()
		if best, tableMove, cutoff = s.table.probe(key, quiescenceDepth, alpha, beta, ply); cutoff {
			return best, true
		}
	}
	f := s.frame(ply)
	if p.Check() {
		best = -infinite
		f.moves = p.Moves(f.moves[:0])
		if len(f.moves) == 0 {
			return terminalScore(p, ply)
		}
		s.keyByGain(f, tableMove, -infinite)
	} else {
		best = s.static()
		if best >= beta {
			return best, true
		}
		s.listGaining(f, tableMove, 0)
	}
	best, bestMove, storable := s.quiescenceMoves(f, alpha, beta, best, ply)
	if storable && s.table.enabled() {
		s.table.store(key, bestMove, best, quiescenceDepth, alpha, beta, ply)
	}
	return best, storable
}

// quiescenceMoves searches the moves listed in f. standPat is the static score, or
// -infinite in check. bestMove is 0 if no move raises alpha.
func (s *AlphaBeta) quiescenceMoves(f *frame, alpha, beta, standPat, ply int) (best int, bestMove engine.Move, storable bool) {
	best, alpha = standPat, max(alpha, standPat)
	us := s.p.Turn()
	storable = true
	for m, ok := s.pick(f); ok; m, ok = s.pick(f) {
		s.p.Do(m)
		score, childStorable := s.quiescenceChild(us, alpha, beta, ply+1)
		s.p.Undo()
		if s.stopped {
			return 0, 0, false
		}
		storable = storable && childStorable
		best = max(best, score)
		if score >= beta {
			return best, m, childStorable
		}
		if score > alpha {
			alpha, bestMove = score, m
		}
	}
	return best, bestMove, storable
}

// quiescenceChild is child below the horizon.
func (s *AlphaBeta) quiescenceChild(us engine.Side, alpha, beta, ply int) (score int, storable bool) {
	if s.p.Turn() == us {
		return s.quiescenceNode(alpha, beta, ply)
	}
	score, storable = s.quiescenceNode(-beta, -alpha, ply)
	return -score, storable
}

// quiescenceNode is node below the horizon.
func (s *AlphaBeta) quiescenceNode(alpha, beta, ply int) (score int, storable bool) {
	switch {
	case !s.countNode():
		return 0, false
	case s.p.Over():
		return terminalScore(s.p, ply)
	case ply == maxPly:
		return s.static(), true
	}
	return s.quiescence(alpha, beta, ply)
}
