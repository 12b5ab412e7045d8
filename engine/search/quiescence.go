package search

import "selfplay/engine"

// Quiescence is what a score at the horizon means: the side to move may stand pat
// on the static score or go on with captures, except those whose Gain is negative.
// In check it may not stand pat, and all moves count. A turn that such a move opens is not
// played out to every end: standing pat in it means to end it.
//
// See chessprogramming.org/Quiescence_Search.

// horizon stands for the depth of quiescence in the table.
const horizon = 255

// quiesce is branch at the horizon and below.
func (s *AlphaBeta) quiesce(alpha, beta, ply int) (best int, pure bool) {
	p := s.p
	key, known := uint64(0), engine.Move(0)
	if s.table.on() {
		var cut bool
		key = p.Hash()
		if best, known, cut = s.table.probe(key, horizon, alpha, beta, ply); cut {
			return best, true
		}
	}
	f, check := s.frame(ply), p.Check()
	if check {
		best = -infinite
		f.moves = p.Moves(f.moves[:0])
		if len(f.moves) == 0 {
			return ended(p, ply)
		}
	} else {
		best = p.Evaluate()
		if best >= beta {
			return best, true
		}
		f.moves = p.Captures(f.moves[:0])
	}
	s.rankGains(f, known, !check)
	best, found, pure := s.resolve(f, alpha, beta, best, ply)
	if pure && s.table.on() {
		s.table.store(key, found, best, horizon, alpha, beta, ply)
	}
	return best, pure
}

// resolve plays the moves that quiesce picked. best is the score of standing pat,
// found the move that a better one is owed to.
func (s *AlphaBeta) resolve(f *frame, alpha, beta, best, ply int) (score int, found engine.Move, pure bool) {
	alpha = max(alpha, best)
	us := s.p.Turn()
	pure = true
	for f.at < len(f.moves) {
		m := f.pick()
		s.p.Do(m)
		score, clean := s.quietChild(us, alpha, beta, ply+1)
		s.p.Undo()
		if s.stopped {
			return 0, 0, false
		}
		pure = pure && clean
		best = max(best, score)
		if score >= beta {
			return best, m, clean
		}
		if score > alpha {
			alpha, found = score, m
		}
	}
	return best, found, pure
}

// quietChild is child below the horizon.
func (s *AlphaBeta) quietChild(us engine.Side, alpha, beta, ply int) (score int, pure bool) {
	if s.p.Turn() == us {
		return s.quiet(alpha, beta, ply)
	}
	score, pure = s.quiet(-beta, -alpha, ply)
	return -score, pure
}

// quiet is node below the horizon.
func (s *AlphaBeta) quiet(alpha, beta, ply int) (score int, pure bool) {
	switch {
	case !s.enter():
		return 0, false
	case s.p.Over():
		return ended(s.p, ply)
	case ply == maxPly:
		return s.p.Evaluate(), true
	}
	return s.quiesce(alpha, beta, ply)
}
