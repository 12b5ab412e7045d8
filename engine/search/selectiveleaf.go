package search

import "selfplay/engine"

// Most nodes are leaves at the horizon whose static score ends them at once: the side to move stands
// pat. Where the score of such a leaf is known without playing the move, nothing else is needed.

// leafScorer is what a game (engine.LeafScorer) and a Scorer may know: the static score after a legal
// move, from the view of the side to move there. See engine.LeafScorer.
type leafScorer interface {
	ScoreAfter(m engine.Move) (score int, ok bool)
}

// leafScorer returns the source of static scores after moves, nil if there is none. The exact search
// keeps its leaves in the table, so it plays the moves.
func (s *AlphaBeta) leafScorer() leafScorer {
	if !s.options.Selective {
		return nil
	}
	var source any = s.p
	if s.options.Scorer != nil {
		source = s.options.Scorer
	}
	leaves, _ := source.(leafScorer)
	return leaves
}

// leafMove returns the score of a move whose child has a depth, from the view of the side that moves,
// if the child is a leaf that fails high at once. It counts the leaf.
func (s *AlphaBeta) leafMove(m engine.Move, depth, alpha int) (score int, ok bool) {
	if s.leaves == nil || depth > 0 {
		return 0, false
	}
	score, ok = s.leaves.ScoreAfter(m)
	if !ok || -score > alpha {
		return 0, false
	}
	if !s.countNode() {
		return 0, true
	}
	return -score, true
}
