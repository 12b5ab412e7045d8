package search

import "selfplay/engine"

// noStatic marks a node without a meaningful static score: the side to move is in check.
const noStatic = -infinite

// passed marks a null move in frame.played.
const passed = ^engine.Move(0)

// pruneNode decides a node outside the principal variation by its static score. See
// chessprogramming.org/Reverse_Futility_Pruning and /Razoring.
func (s *AlphaBeta) pruneNode(f *frame, n *selectiveState) (score int, cutoff bool) {
	t := s.tuning
	if n.pv || n.open || isProven(n.beta) || isProven(n.alpha) {
		return 0, false
	}
	if s.on(ReverseFutility) && n.depth <= t.ReverseFutilityDepth && f.static-t.ReverseFutility*n.depth >= n.beta {
		return f.static, true
	}
	if s.on(Razoring) && n.depth <= t.RazoringDepth && f.static+t.Razoring*n.depth < n.alpha {
		if score = s.selectiveQuiescence(n.alpha, n.beta, n.ply, false); score <= n.alpha {
			return score, true
		}
	}
	if s.on(NullMove) && s.passer != nil && t.NullMove > 0 && n.depth >= 2 && f.static >= n.beta && s.frames[n.ply-1].played != passed {
		return s.nullMove(f, n)
	}
	return 0, false
}

// nullMove lets the opponent move twice. If the score is still not below beta, some move
// will probably reach beta too. See chessprogramming.org/Null_Move_Pruning.
func (s *AlphaBeta) nullMove(f *frame, n *selectiveState) (score int, cutoff bool) {
	us := s.p.Turn()
	if !s.passer.Pass() {
		return 0, false
	}
	f.played, s.frames[n.ply+1].known = passed, noStatic
	score = s.selectiveChild(us, max(n.depth-s.tuning.NullMove-n.depth/4, 0), n.beta-1, n.beta, n.ply+1)
	s.passer.TakePass()
	if score < n.beta || s.stopped {
		return 0, false
	}
	if isProven(score) {
		score = n.beta
	}
	return score, true
}

// limits say which moves of a node to skip. See chessprogramming.org/Futility_Pruning.
type limits struct {
	futile    bool  // only moves with a gain can raise alpha
	bound     int   // score of the quiet moves, if futile
	quiets    int   // number of quiet moves to search
	hanging   bool  // quiet moves that hang are skipped
	leastGain int32 // of a move that is not quiet
}

// limits returns the limits of a node.
func (s *AlphaBeta) limits(f *frame, n *selectiveState) limits {
	t := s.tuning
	l := limits{quiets: 1 << 30, leastGain: -1 << 30}
	if n.check || isProven(n.alpha) {
		return l
	}
	if bound := f.static + t.Futility*n.depth; s.on(Futility) && !n.pv && n.depth <= t.FutilityDepth && bound <= n.alpha {
		l.futile, l.bound = true, bound
	}
	if s.on(LateMovePruning) && !n.pv && n.depth <= t.LateMoveDepth {
		l.quiets = t.LateMoves + n.depth*n.depth*t.LateMoves/2
	}
	l.hanging = s.on(HangingPruning) && !n.pv && n.depth <= t.HangingDepth
	if s.on(GainPruning) && t.Losing > 0 {
		l.leastGain = int32(-t.Losing * n.depth)
	}
	return l
}
