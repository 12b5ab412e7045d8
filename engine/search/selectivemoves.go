package search

import "selfplay/engine"

// selectiveState is a node of the selective search whose moves are searched.
type selectiveState struct {
	depth, alpha, beta, ply int
	open, check, pv         bool
	key                     uint64
	tableMove               engine.Move
}

// loop searches the moves of a node in order until one of them fails high. best is
// -infinite if there are none.
func (s *AlphaBeta) loop(f *frame, n *selectiveState) (best int, bestMove engine.Move) {
	us, alpha, searched := s.p.Turn(), n.alpha, 0
	limits := s.limits(f, n)
	best = -infinite
	f.begin(n.tableMove)
	f.previous = s.frames[n.ply-1].played
	f.quietMoves, f.onlyGains = f.quietMoves[:0], limits.futile
	for {
		m, ok := s.next(f, us)
		if !ok {
			break
		}
		if n.open && s.orderer != nil && s.on(CanonicalOrder) && !s.orderer.Canonical(m) {
			continue // another order of the same steps ends the turn in the same position
		}
		if searched > 0 && best > -engine.MaxStatic {
			if f.quiet && len(f.quietMoves) >= limits.quiets {
				break
			}
			if !f.quiet && f.gain < limits.leastGain {
				continue
			}
			if f.quiet && limits.hanging && s.p.Hangs(m) {
				continue
			}
		}
		score := s.searchMove(f, n, us, m, searched, alpha)
		if s.stopped {
			return 0, 0
		}
		searched++
		best = max(best, score)
		if score > alpha {
			alpha, bestMove = score, m
			if score >= n.beta {
				s.reward(f, n, us, m)
				return best, bestMove
			}
		}
		if f.quiet {
			f.quietMoves = append(f.quietMoves, m)
		}
	}
	if limits.futile {
		best = max(best, limits.bound)
	}
	return best, bestMove
}

// searchMove plays a move, searches the position after it and takes it back.
func (s *AlphaBeta) searchMove(f *frame, n *selectiveState, us engine.Side, m engine.Move, searched, alpha int) (score int) {
	depth := n.depth
	if !n.open {
		depth--
	}
	reduction := 0
	if searched > 0 {
		reduction = s.reduction(f, n, us, m, searched)
	}
	if score, ok := s.leafMove(m, max(depth-reduction, 0), n.ply+1, alpha, searched == 0 && n.pv); ok {
		return score
	}
	f.played = m
	s.p.Do(m)
	if searched == 0 {
		score = s.selectiveChild(us, depth, alpha, n.beta, n.ply+1)
	} else {
		score = s.laterChild(us, depth, reduction, alpha, n.beta, n.ply+1)
	}
	s.p.Undo()
	return score
}

// reward updates killers and histories after a beta cutoff by m.
func (s *AlphaBeta) reward(f *frame, n *selectiveState, us engine.Side, m engine.Move) {
	if !f.quiet {
		return
	}
	if s.on(Killers) && m != f.killers[0] {
		f.killers[1], f.killers[0] = f.killers[0], m
	}
	if !s.on(History) {
		return
	}
	bonus := min(n.depth*n.depth+1, 64) * s.tuning.HistoryBonus
	s.history.reward(us, f.previous, m, bonus)
	for _, quiet := range f.quietMoves {
		s.history.reward(us, f.previous, quiet, -bonus)
	}
}

// quietKey returns the sort key of a quiet move of us. It is above 0.
func (s *AlphaBeta) quietKey(f *frame, us engine.Side, m engine.Move) int32 {
	if !s.on(Continuation) {
		return int32(s.history.scores[us&1][historyIndex(m)]) + quietBase
	}
	t := s.tuning
	key := s.history.sum(us, f.previous, m) + t.Placement*s.p.Placement(m)
	if t.CheckBonus != 0 && s.p.GivesCheck(m) {
		key += t.CheckBonus
	}
	return int32(max(key, 1-quietBase) + quietBase)
}
