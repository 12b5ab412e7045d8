package search

import "selfplay/engine"

// node returns the score of the position, ply moves below the root, as the side to
// move sees it: the value itself if it lies between alpha and beta, else a bound
// on the side it fell off (fail-soft). The turn is open if the same side decided
// before. pure tells that the score holds on every path to the position.
func (s *AlphaBeta) node(depth, alpha, beta, ply int, open bool) (score int, pure bool) {
	switch {
	case !s.enter():
		return 0, false
	case s.p.Over():
		return ended(s.p, ply)
	case ply == maxPly:
		return s.p.Evaluate(), true
	case depth == 0 && !open:
		return s.quiesce(alpha, beta, ply)
	}
	return s.branch(depth, alpha, beta, ply, open)
}

// enter counts a position; false if it is one too many.
func (s *AlphaBeta) enter() bool {
	if s.nodes >= s.limit {
		s.stopped = true
		return false
	}
	s.nodes++
	return true
}

// child returns the score of the position after a move of us, as us sees it.
// Whether score and window change sides is for Turn to say, never for the ply.
func (s *AlphaBeta) child(us engine.Side, depth, alpha, beta, ply int) (score int, pure bool) {
	if s.p.Turn() == us {
		return s.node(depth, alpha, beta, ply, true)
	}
	score, pure = s.node(depth, -beta, -alpha, ply, false)
	return -score, pure
}

// scout is child for a move that is expected to be no better than alpha: it asks
// that first, with a closed window, and for the value only if it was wrong.
func (s *AlphaBeta) scout(us engine.Side, depth, alpha, beta, ply int, late bool) (score int, pure bool) {
	if late && beta-alpha > 1 && s.options.Off&Scout == 0 {
		score, pure = s.child(us, depth, alpha, alpha+1, ply)
		if score <= alpha || score >= beta || s.stopped {
			return score, pure
		}
	}
	return s.child(us, depth, alpha, beta, ply)
}

// branch is node where moves have to be played. The first move of a turn costs
// depth, further ones do not.
func (s *AlphaBeta) branch(depth, alpha, beta, ply int, open bool) (best int, pure bool) {
	p := s.p
	key, known := uint64(0), engine.Move(0)
	if s.table.on() {
		var cut bool
		key = p.Hash()
		if best, known, cut = s.table.probe(key, depth, alpha, beta, ply); cut {
			return best, true
		}
	}
	f, us := s.frame(ply), p.Turn()
	f.begin(known)
	left := depth
	if !open {
		left--
	}
	floor, found, late := alpha, engine.Move(0), false
	best, pure = -infinite, true
	for m, ok := s.next(f, us); ok; m, ok = s.next(f, us) {
		p.Do(m)
		score, clean := s.scout(us, left, alpha, beta, ply+1, late)
		p.Undo()
		if s.stopped {
			return 0, false
		}
		late, pure = true, pure && clean
		if score <= best {
			continue
		}
		best = score
		if score <= alpha {
			continue
		}
		alpha, found = score, m
		if score >= beta {
			// This reply alone refutes; what the others were worth does not matter.
			pure = clean
			s.refuted(f, us, m, depth)
			break
		}
	}
	if !late {
		return ended(p, ply)
	}
	if pure && s.table.on() {
		s.table.store(key, found, best, depth, floor, beta, ply)
	}
	return best, pure
}
