package search

import (
	"slices"

	"selfplay/engine"
)

// leafValue returns the value of the leaf at the current position from the view of
// First. side is the side whose view the leaf's values take.
func (s *MCTS) leafValue(index uint32, side engine.Side) int {
	n := &s.tree.nodes[index]
	if n.state == terminal {
		return changeView(side, int(n.mean))
	}
	if n.state == unvisited {
		n.state = evaluated
		if o := s.p.Outcome(); o != engine.Ongoing {
			n.state, n.mean = terminal, int32(o.For(side))*one
			return changeView(side, int(n.mean))
		}
	}
	if s.options.Model != nil {
		return s.modelValue(index, side)
	}
	return s.evaluate()
}

// evaluate returns the value of the current position from the view of First: its score as
// a leaf after a rollout, or the outcome if the rollout ends the game.
func (s *MCTS) evaluate() (value int) {
	plies, p := 0, s.p
	for plies < s.options.Rollout {
		if _, ok := p.DoRandom(s.src); !ok {
			break
		}
		plies++
	}
	s.nodes += uint64(plies)
	if o := s.rolloutOutcome(plies); o != engine.Ongoing {
		value = int(o.For(engine.First)) * one
	} else {
		value = changeView(p.Turn(), valueOf(s.leafScore(), s.options.Scale))
	}
	for range plies {
		p.Undo()
	}
	return value
}

// rolloutOutcome returns the outcome after a rollout. Without any plies it saves the
// call: the leaf is known to be Ongoing.
func (s *MCTS) rolloutOutcome(plies int) engine.Outcome {
	if plies == 0 {
		return engine.Ongoing
	}
	return s.p.Outcome()
}

// expand lists the moves of a node with their priors. It returns false if the position has
// no moves.
func (s *MCTS) expand(index uint32) bool {
	s.moves = s.p.Moves(s.moves[:0])
	if len(s.moves) == 0 {
		return false
	}
	s.scoreMoves(index)
	softmax(s.priors, int(slices.Max(s.priors)), s.options.PriorScale)
	if index == 0 {
		s.finishRootPriors()
	}
	s.tree.expand(index, s.moves, s.priors)
	return true
}

// scoreMoves sets s.priors to the scores that the priors of s.moves, the moves of a node, are
// derived from.
func (s *MCTS) scoreMoves(index uint32) {
	s.priors = s.priors[:0]
	switch {
	case s.options.Model != nil:
		s.priors = s.appendKeptLogits(s.priors, index)
		return
	case s.policy != nil:
		s.priors = s.policy.AppendLogits(s.priors, s.moves)
		return
	}
	for _, m := range s.moves {
		s.priors = append(s.priors, int32(s.priorScore(m)))
	}
}

// finishRootPriors keeps the priors of the root for the policy target and mixes noise into
// those that the search uses.
func (s *MCTS) finishRootPriors() {
	s.rootPriors = append(s.rootPriors[:0], s.priors...)
	if noise := s.noiseOf(s.options.Noise); noise > 0 {
		s.weights = slices.Grow(s.weights[:0], len(s.priors))[:len(s.priors)]
		mixNoise(s.priors, s.weights, noise, s.options.Concentration, s.src)
	}
}

// priorScore returns the score that the prior of a move is derived from.
func (s *MCTS) priorScore(m engine.Move) int {
	switch s.options.Priors {
	case PriorGain:
		return s.p.Gain(m)
	case PriorDelta:
		return s.p.Gain(m) + s.p.Placement(m)
	case PriorStatic, PriorNet: // by the score after the move
	}
	us := s.p.Turn()
	s.do(m)
	defer s.p.Undo()
	if s.p.Over() {
		return int(s.p.Outcome().For(us)) * engine.MaxStatic
	}
	return viewOf(us, s.p, s.static())
}
