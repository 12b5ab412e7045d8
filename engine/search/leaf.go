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
		return s.e.Gain(m)
	case PriorDelta:
		return s.e.Gain(m) + s.e.Placement(m)
	case PriorStatic, PriorNet: // by the score after the move
	}
	us := s.p.Turn()
	s.do(m)
	defer s.p.Undo()
	if s.e.Over() {
		return int(s.p.Outcome().For(us)) * engine.MaxStatic
	}
	return viewOf(us, s.p, s.static())
}

// A leaf in the middle of an exchange would be worth what the last capture won, so leaves
// are searched further: the side to move may accept the static score or play a capture
// with a positive Gain. Unlike quiescence of AlphaBeta this neither searches evasions nor
// proves the end of the game.

// leafPlies limits the captures of a line: more of them cost time and win no matches.
const leafPlies = 4

// capture is a move of the search at a leaf.
type capture struct {
	move engine.Move
	gain int32
}

// leafScore returns what the current position is worth to the side to move.
func (s *MCTS) leafScore() int {
	if s.options.Leaf == LeafStatic {
		return s.static()
	}
	s.captures = s.captures[:0]
	return s.resolve(-infinite, infinite, leafPlies)
}

// resolve searches captures with an alpha-beta window.
func (s *MCTS) resolve(alpha, beta, plies int) int {
	best := s.static()
	if plies == 0 || best >= beta {
		return best
	}
	us, first := s.p.Turn(), len(s.captures)
	s.listCaptures()
	for i := first; i < len(s.captures) && best < beta; i++ {
		m := s.pickCapture(i)
		s.do(m)
		best = max(best, s.resolveChild(us, max(alpha, best), beta, plies-1))
		s.p.Undo()
	}
	s.captures = s.captures[:first]
	return best
}

// resolveChild is resolve one capture later, from the view of us.
func (s *MCTS) resolveChild(us engine.Side, alpha, beta, plies int) int {
	switch {
	case s.e.Over():
		return int(s.p.Outcome().For(us)) * engine.MaxStatic
	case s.p.Turn() == us:
		return s.resolve(alpha, beta, plies)
	}
	return -s.resolve(-beta, -alpha, plies)
}

// listCaptures appends the captures with a positive gain to s.captures.
func (s *MCTS) listCaptures() {
	s.moves = s.e.Captures(s.moves[:0])
	for _, m := range s.moves {
		if gain := s.e.Gain(m); gain > 0 {
			s.captures = append(s.captures, capture{m, int32(gain)})
		}
	}
}

// pickCapture moves the largest gain from i on to i: one step of a selection sort.
func (s *MCTS) pickCapture(i int) engine.Move {
	list, top := s.captures[i:], 0
	for j := range list {
		if list[j].gain > list[top].gain {
			top = j
		}
	}
	list[0], list[top] = list[top], list[0]
	return list[0].move
}

// askRoot evaluates the root by the model.
func (s *MCTS) askRoot() int32 {
	value := int32(s.askNode(0))
	s.tree.nodes[0].mean = value
	return value
}

// modelValue returns the value of a leaf at the current position from the view of First. A leaf
// that is visited again, at the largest distance from the root, has the value of its first visit.
func (s *MCTS) modelValue(index uint32, side engine.Side) int {
	if n := &s.tree.nodes[index]; n.visits > 0 {
		return changeView(side, int(n.mean))
	}
	return changeView(s.p.Turn(), s.askNode(index))
}

// askNode returns the value of a node at the current position and keeps the logits of its moves
// until it is expanded. The value is 0 if the model fails.
func (s *MCTS) askNode(index uint32) int {
	s.moves = s.p.Moves(s.moves[:0])
	logits := s.tree.newLogits(index, len(s.moves))
	value, err := ask(s.options.Model, s.p, s.moves, logits)
	if err != nil {
		clear(logits)
		s.err = err
	}
	return value
}

// appendKeptLogits appends the logits of the moves of a node that is about to be expanded.
func (s *MCTS) appendKeptLogits(dst []int32, index uint32) []int32 {
	first := s.tree.nodes[index].firstMove
	for _, logit := range s.tree.logits[first:][:len(s.moves)] {
		dst = append(dst, int32(logit))
	}
	return dst
}
