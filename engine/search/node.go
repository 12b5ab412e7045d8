package search

import "selfplay/engine"

// passed marks a null move in frame.played.
const passed = ^engine.Move(0)

// node returns the score of the current position from the view of the side to move. ply is the distance
// from the root in moves, at least 1. open reports that the side to move has already moved in this turn.
// The score is exact if it lies between alpha and beta, otherwise it is a bound (fail-soft).
//
// Every technique that may change a score is a Feature with margins in engine.Tuning. Without them the
// score is that of minimax over the same quiescence.
func (s *AlphaBeta) node(depth, alpha, beta, ply int, open bool) int {
	p, t, f := s.p, s.tuning, s.frame(ply)
	before := s.frames[ply-1].played
	known := f.known != noStatic // then the position is neither over nor in check
	switch {
	case !s.countNode():
		return 0
	case !known && p.Over():
		return terminalScore(p, ply)
	case !open && s.on(Recurrence) && before != passed && s.earlier.has(p.Hash()):
		return 0 // not after a null move: nobody can pass to reach a position again
	case ply == maxPly:
		return s.static()
	}
	check := !known && p.Check()
	if check && !open && s.on(CheckExtension) && ply < 2*s.rootDepth {
		depth++
	}
	if depth <= 0 && !open {
		return s.quiescence(alpha, beta, ply, check)
	}

	us, pv := p.Turn(), beta-alpha > 1
	key, tableMove := uint64(0), engine.Move(0)
	if s.table.enabled() {
		key = p.Hash()
		score, move, cutoff := s.table.probe(key, depth, alpha, beta, ply)
		if cutoff && !pv {
			return score
		}
		tableMove = move
	}
	static := noStatic
	if !check {
		static = s.boundedStatic(s.staticOf(f), key, ply)
	}

	// Nodes outside the principal variation that the static score decides.
	if !check && !pv && !open && !isProven(beta) && !isProven(alpha) {
		// See chessprogramming.org/Reverse_Futility_Pruning.
		if s.on(ReverseFutility) && depth <= t.ReverseFutilityDepth && static-t.ReverseFutility*depth >= beta {
			return static
		}
		// See chessprogramming.org/Razoring.
		if s.on(Razoring) && depth <= t.RazoringDepth && static+t.Razoring*depth < alpha {
			if score := s.quiescence(alpha, beta, ply, false); score <= alpha {
				return score
			}
		}
		// The opponent moves twice. If the score is still not below beta, some move will probably reach
		// beta too. See chessprogramming.org/Null_Move_Pruning.
		if s.on(NullMove) && s.passer != nil && t.NullMove > 0 && depth >= 2 && static >= beta && before != passed && s.passer.Pass() {
			f.played, s.frames[ply+1].known = passed, noStatic
			score := s.child(us, max(depth-t.NullMove-depth/4, 0), beta-1, beta, ply+1)
			s.passer.TakePass()
			switch {
			case s.stopped:
				return 0
			case score >= beta && isProven(score):
				return beta
			case score >= beta:
				return score
			}
		}
	}
	// See chessprogramming.org/Internal_Iterative_Reductions.
	if s.on(InternalReduction) && tableMove == 0 && t.InternalReduction > 0 && depth >= t.InternalReduction {
		depth--
	}

	// Limits of the moves to search. See chessprogramming.org/Futility_Pruning.
	futile, bound := false, 0                          // only moves with a gain can raise alpha; the score of the others
	quiets, hanging, leastGain := 1<<30, false, -1<<30 // number of quiet moves, whether those that hang are skipped, gain of the others
	if !check && !isProven(alpha) {
		bound = static + t.Futility*depth
		futile = s.on(Futility) && !pv && depth <= t.FutilityDepth && bound <= alpha
		hanging = s.on(HangingPruning) && !pv && depth <= t.HangingDepth
		if s.on(LateMovePruning) && !pv && depth <= t.LateMoveDepth {
			quiets = t.LateMoves + depth*depth*t.LateMoves/2
		}
		if s.on(GainPruning) && t.Losing > 0 {
			leastGain = -t.Losing * depth
		}
	}

	if s.on(Recurrence) {
		s.earlier.push(p.Hash())
	}
	childDepth := depth // the first move of a turn costs one unit of depth, further ones cost none
	if !open {
		childDepth--
	}
	f.begin(tableMove, before, futile)
	best, bestMove, lower := -infinite, engine.Move(0), alpha
	for searched := 0; ; {
		m, ok := s.next(f, us)
		if !ok {
			break
		}
		if open && s.orderer != nil && s.on(CanonicalOrder) && !s.orderer.Canonical(m) {
			continue // another order of the same steps ends the turn in the same position
		}
		if searched > 0 && best > -engine.MaxStatic {
			if f.quiet && len(f.quietMoves) >= quiets {
				break
			}
			if f.quiet && hanging && p.Hangs(m) || !f.quiet && int(f.gain) < leastGain {
				continue
			}
		}
		// Later moves probably fail low. See chessprogramming.org/Late_Move_Reductions.
		reduction := 0
		if s.on(LateMoveReductions) && searched > 0 && searched >= t.ReduceFrom && f.quiet && !check {
			reduction = s.reductionAt(depth, searched) + t.MoreReductions
			if pv {
				reduction -= 100
			}
			if t.ReductionHistory > 0 {
				reduction -= s.history.sum(us, before, m) * 100 / t.ReductionHistory
			}
			reduction = max(reduction/100, 0)
		}
		score := s.searchMove(us, m, childDepth, reduction, lower, beta, ply+1, searched == 0)
		if s.stopped {
			break
		}
		searched++
		best = max(best, score)
		if score > lower {
			lower, bestMove = score, m
			if score >= beta {
				s.reward(f, us, m, depth)
				break
			}
		}
		if f.quiet {
			f.quietMoves = append(f.quietMoves, m)
		}
	}
	if s.on(Recurrence) {
		s.earlier.pop()
	}

	if s.stopped {
		return 0
	}
	if futile {
		best = max(best, bound)
	}
	if best == -infinite {
		return terminalScore(p, ply)
	}
	if s.table.enabled() {
		s.table.store(key, bestMove, best, depth, alpha, beta, ply)
	}
	return best
}

// searchMove returns the score of move m of us, whose child has a depth and a ply. It has the full window
// if it is the first move of its node. A later one is expected to fail low: it is searched with a null window
// and to a reduced depth first, then, as long as the score is above alpha, to the full depth and with
// the full window. See chessprogramming.org/Principal_Variation_Search.
func (s *AlphaBeta) searchMove(us engine.Side, m engine.Move, depth, reduction, alpha, beta, ply int, first bool) (score int) {
	if score, ok := s.leafMove(m, max(depth-reduction, 0), ply, alpha, first && beta-alpha > 1); ok {
		return score
	}
	s.frames[ply-1].played = m
	s.p.Do(m)
	if first {
		score = s.child(us, depth, alpha, beta, ply)
	} else {
		score = alpha + 1
		if reduction > 0 {
			score = s.child(us, max(depth-reduction, 0), alpha, alpha+1, ply)
		}
		if score > alpha && !s.stopped {
			score = s.child(us, depth, alpha, alpha+1, ply)
		}
		if score > alpha && score < beta && !s.stopped {
			score = s.child(us, depth, alpha, beta, ply)
		}
	}
	s.p.Undo()
	return score
}

// child returns the score of the position after a move of us, from the view of us. Score and window are
// negated only if Turn changed.
func (s *AlphaBeta) child(us engine.Side, depth, alpha, beta, ply int) int {
	if s.p.Turn() == us {
		return s.node(depth, alpha, beta, ply, true)
	}
	return -s.node(depth, -beta, -alpha, ply, false)
}

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
