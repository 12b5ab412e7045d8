package search

import "selfplay/engine"

// The selective search (AlphaBetaOptions.Selective) prunes and reduces moves that are unlikely to
// matter, so a score is not that of minimax, but a search of the same cost sees further.
// Each technique is a Feature, so that matches can measure it.

// selectiveNode is node of the selective search.
func (s *AlphaBeta) selectiveNode(depth, alpha, beta, ply int, open bool) int {
	known := s.frames[ply].known != noStatic
	switch {
	case !s.countNode():
		return 0
	case !known && s.p.Over():
		score, _ := terminalScore(s.p, ply)
		return score
	case !open && s.on(Recurrence) && s.frames[ply-1].played != passed && s.earlier.has(s.p.Hash()):
		return 0 // not after a null move: nobody can pass to reach a position again
	case ply == maxPly:
		return s.static()
	}
	check := !known && s.p.Check()
	if check && !open && s.on(CheckExtension) && ply < 2*s.rootDepth {
		depth++
	}
	if depth <= 0 && !open {
		return s.selectiveQuiescence(alpha, beta, ply, check)
	}
	return s.selectiveMoves(depth, alpha, beta, ply, open, check)
}

// selectiveChild returns the score of the position after a move of us, from the view of
// us.
func (s *AlphaBeta) selectiveChild(us engine.Side, depth, alpha, beta, ply int) int {
	if s.p.Turn() == us {
		return s.selectiveNode(depth, alpha, beta, ply, true)
	}
	return -s.selectiveNode(depth, -beta, -alpha, ply, false)
}

// laterChild is selectiveChild for a move that is expected to fail low: with a null
// window and a reduced depth first, then, as long as the score is above alpha, at full
// depth and with the full window.
func (s *AlphaBeta) laterChild(us engine.Side, depth, reduction, alpha, beta, ply int) int {
	score := alpha + 1
	if reduction > 0 {
		score = s.selectiveChild(us, max(depth-reduction, 0), alpha, alpha+1, ply)
	}
	if score > alpha && !s.stopped {
		score = s.selectiveChild(us, depth, alpha, alpha+1, ply)
	}
	if score > alpha && score < beta && !s.stopped {
		score = s.selectiveChild(us, depth, alpha, beta, ply)
	}
	return score
}

// selectiveMoves decides a node above the horizon by the table, by its static score or by
// its moves.
func (s *AlphaBeta) selectiveMoves(depth, alpha, beta, ply int, open, check bool) int {
	f, n := s.frame(ply), selectiveState{depth: depth, alpha: alpha, beta: beta, ply: ply, open: open, check: check, pv: beta-alpha > 1}
	f.static = noStatic
	if s.table.enabled() {
		n.key = s.p.Hash()
		score, move, cutoff := s.table.probeDeep(n.key, depth, alpha, beta, ply)
		if cutoff && !n.pv {
			return score
		}
		n.tableMove = move
	}
	if !check {
		f.static = s.boundedStatic(s.staticOf(f), &n)
		if score, cutoff := s.pruneNode(f, &n); cutoff {
			return score
		}
	}
	if n.tableMove == 0 && s.tuning.InternalReduction > 0 && n.depth >= s.tuning.InternalReduction && s.on(InternalReduction) {
		n.depth--
	}
	if s.on(Recurrence) {
		s.earlier.push(s.p.Hash())
	}
	best, bestMove := s.loop(f, &n)
	if s.on(Recurrence) {
		s.earlier.pop()
	}
	if best == -infinite {
		score, _ := terminalScore(s.p, ply)
		return score
	}
	if s.table.enabled() && !s.stopped {
		s.table.store(n.key, bestMove, best, n.depth, alpha, beta, ply)
	}
	return best
}

// boundedStatic returns a static score of a node, or the score of the table if that bounds it: the table
// has searched the position.
func (s *AlphaBeta) boundedStatic(static int, n *selectiveState) int {
	if !s.on(TableScores) || !s.table.enabled() {
		return static
	}
	switch score, bound := s.table.bound(n.key, n.ply); {
	case isProven(score):
	case bound&lowerBound != 0 && score > static, bound&upperBound != 0 && score < static:
		return score
	}
	return static
}
