package search

import "selfplay/engine"

// Most nodes are leaves whose static score ends them at once: at the horizon the side to move stands
// pat, and above it the score is far above beta. Where the score of such a leaf is known without
// playing the move, nothing else is needed.

// leafScorer is what a game (engine.LeafScorer) and a Scorer may know: the static score after a legal
// move, from the view of the side to move there. See engine.LeafScorer.
type leafScorer interface {
	ScoreAfter(m engine.Move) (score int, ok bool)
}

// findLeafScorer finds the source of static scores after moves. The exact search keeps its leaves in the
// table, so it plays the moves.
func (s *AlphaBeta) findLeafScorer() {
	s.leaves, s.hasher, s.repeater = nil, nil, nil
	if !s.options.Selective {
		return
	}
	var source any = s.p
	if s.options.Scorer != nil {
		source = s.options.Scorer
	}
	s.leaves, _ = source.(leafScorer)
	s.hasher, _ = s.p.(engine.LeafHasher)
	if s.on(Recurrence) {
		s.repeater, _ = s.p.(engine.LeafRepeater)
	}
}

// leafMove returns the score of a move whose child has a depth and a ply, from the view of the side that
// moves, if the child is a leaf that fails high at once. It counts the leaf. pv says that the child is
// first searched with an open window. Of another child it keeps the static score, if that is known: such
// a child is neither over nor in check.
func (s *AlphaBeta) leafMove(m engine.Move, depth, ply, alpha int, pv bool) (score int, ok bool) {
	s.frames[ply].known = noStatic
	if s.leaves == nil || depth > 0 && (s.hasher == nil || !s.mayPruneChild(depth, ply, alpha, pv)) {
		return 0, false
	}
	score, ok = s.leafScore(m, depth, ply, alpha)
	switch {
	case !ok:
		return 0, false
	case !s.countNode():
		return 0, true
	}
	return -score, true
}

// leafScore returns the score of a child from its view if it fails high at once: that of the table, or
// the static score.
func (s *AlphaBeta) leafScore(m engine.Move, depth, ply, alpha int) (score int, ok bool) {
	var hash uint64
	if s.hasher == nil {
		score, ok = s.leaves.ScoreAfter(m)
	} else {
		if hash, ok = s.hasher.HashAfter(m); !ok {
			return 0, false
		}
		if s.on(Recurrence) && s.earlier.has(hash) {
			return 0, alpha >= 0
		}
		if depth > 0 && s.table.enabled() {
			if score, _, cutoff := s.table.probeDeep(hash, depth, -alpha-1, -alpha, ply); cutoff {
				return score, score >= -alpha
			}
		}
		score, ok = s.staticAfter(m, hash)
	}
	if !ok {
		return 0, false
	}
	static := score
	if depth > 0 { // as the child does
		score = s.boundedStatic(static, &selectiveState{key: hash, ply: ply})
	}
	if score-s.tuning.ReverseFutility*max(depth, 0) < -alpha {
		s.frames[ply].known = static
		return 0, false
	}
	if s.repeater != nil && s.repeater.RepeatsAfter(m) {
		return 0, false // it may be a draw, which the static score does not know
	}
	return score, true
}

// mayPruneChild reports whether the static score of a child above the horizon may end it, see
// pruneNode.
func (s *AlphaBeta) mayPruneChild(depth, ply, alpha int, pv bool) bool {
	return depth <= s.tuning.ReverseFutilityDepth && s.on(ReverseFutility) && !pv && ply < maxPly && !isProven(alpha) && !isProven(alpha+1)
}
