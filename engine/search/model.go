package search

import (
	"fmt"

	"selfplay/engine"
)

// Model evaluates positions in place of Evaluate and of priors, as a network outside this module
// does. One searcher owns it. Its answers are integers, so that every tree is the same on every
// machine.
type Model interface {
	// Evaluate returns the value of p as it is now: the expected result of the side to move in
	// 16384ths, from -ModelOne (loss) to ModelOne (win). It sets logits[i] to the logit of moves[i]
	// in hundredths. moves are the legal moves of p, or none: then only the value is asked. The
	// answer must depend only on what String contains.
	//
	// Evaluate may block, for example until a batch is full. An error ends the search. Evaluate
	// changes neither p nor moves and keeps no argument.
	Evaluate(p engine.Position, moves []engine.Move, logits []int16) (value int16, err error)
}

// ModelOne is the value of a position that is won, as a Model returns it.
const ModelOne = 1 << 14

// ask returns the value of p by a model in 65536ths, and sets the logits of moves. An error names
// the position.
func ask(m Model, p engine.Position, moves []engine.Move, logits []int16) (value int, err error) {
	v, err := m.Evaluate(p, moves, logits)
	if err == nil && (v < -ModelOne || v > ModelOne) {
		err = fmt.Errorf("value %d: want %d to %d", v, -ModelOne, ModelOne)
	}
	if err != nil {
		return 0, fmt.Errorf("evaluate position %q: %w", p, err)
	}
	return int(v) * (one / ModelOne), nil
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
