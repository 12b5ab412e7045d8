package search

import "selfplay/engine"

// node returns the score of the current position from the view of the side to move. ply
// is the distance from the root in moves. open reports that the side to move already
// moved in this turn. The score is exact if it lies between alpha and beta, otherwise
// it is a bound (fail-soft). storable reports that it holds on every path to the
// position, so that the transposition table may keep it.
func (s *AlphaBeta) node(depth, alpha, beta, ply int, open bool) (score int, storable bool) {
	switch {
	case !s.countNode():
		return 0, false
	case s.p.Over():
		return terminalScore(s.p, ply)
	case ply == maxPly:
		return s.static(), true
	case depth == 0 && !open:
		return s.quiescence(alpha, beta, ply)
	}
	return s.searchMoves(depth, alpha, beta, ply, open)
}

// countNode counts a node. It returns false if the search stops.
func (s *AlphaBeta) countNode() bool {
	if s.nodes >= s.pause && s.stops() {
		return false
	}
	s.nodes++
	return true
}

// stops stops the search at the node limit, once there are moves to return, or if it is aborted.
func (s *AlphaBeta) stops() bool {
	if s.stopped {
		return true
	}
	if s.options.Abort != nil {
		s.aborted = s.options.Abort()
	}
	hasMoves := len(s.completed) > 0 || s.exact >= s.options.Multi
	s.stopped = s.aborted || s.nodes >= s.limit && hasMoves
	if !s.stopped {
		s.pause = min(s.limit, s.nodes+abortInterval)
	}
	return s.stopped
}

// child returns the score of the position after a move of us, from the view of us.
// Score and window are negated only if Turn changed.
func (s *AlphaBeta) child(us engine.Side, depth, alpha, beta, ply int) (score int, storable bool) {
	if s.p.Turn() == us {
		return s.node(depth, alpha, beta, ply, true)
	}
	score, storable = s.node(depth, -beta, -alpha, ply, false)
	return -score, storable
}

// scout is child with a null-window search first, if nullWindow is set: the move is
// expected to fail low. Only a score inside the window needs the full search.
func (s *AlphaBeta) scout(us engine.Side, depth, alpha, beta, ply int, nullWindow bool) (score int, storable bool) {
	if nullWindow && beta-alpha > 1 && s.options.Off&Scout == 0 {
		score, storable = s.child(us, depth, alpha, alpha+1, ply)
		if score <= alpha || score >= beta || s.stopped {
			return score, storable
		}
	}
	return s.child(us, depth, alpha, beta, ply)
}

// searchMoves searches the moves of a node above the horizon. The first move of a turn
// costs one unit of depth, further moves of the turn cost none.
func (s *AlphaBeta) searchMoves(depth, alpha, beta, ply int, open bool) (best int, storable bool) {
	p := s.p
	key, tableMove := uint64(0), engine.Move(0)
	if s.table.enabled() {
		var cutoff bool
		key = p.Hash()
		if best, tableMove, cutoff = s.table.probe(key, depth, alpha, beta, ply); cutoff {
			return best, true
		}
	}
	f, us := s.frame(ply), p.Turn()
	f.begin(tableMove)
	childDepth := depth
	if !open {
		childDepth--
	}
	alphaAtEntry, bestMove, searched := alpha, engine.Move(0), false
	best, storable = -infinite, true
	for m, ok := s.next(f, us); ok; m, ok = s.next(f, us) {
		p.Do(m)
		score, childStorable := s.scout(us, childDepth, alpha, beta, ply+1, searched)
		p.Undo()
		if s.stopped {
			return 0, false
		}
		searched, storable = true, storable && childStorable
		if score <= best {
			continue
		}
		best = score
		if score <= alpha {
			continue
		}
		alpha, bestMove = score, m
		if score >= beta {
			// This move alone proves the bound; the others do not contribute to it.
			storable = childStorable
			s.failHigh(f, us, m, depth)
			break
		}
	}
	if !searched {
		return terminalScore(p, ply)
	}
	if storable && s.table.enabled() {
		s.table.store(key, bestMove, best, depth, alphaAtEntry, beta, ply)
	}
	return best, storable
}
