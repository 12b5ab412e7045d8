package search

import (
	"slices"

	"selfplay/engine"
)

// Liner is a searcher that can say how it expects the game to go on.
type Liner interface {
	// Line returns the principal variation of the last search, which was in p and was not aborted: the
	// best move, then what is known of the moves after it, at most most. It plays on p and takes all
	// moves back.
	Line(p engine.Position, most int) []engine.Move
}

// Line follows the moves of the transposition table, from which entries may be missing. Without a table
// it has the best move only.
func (s *AlphaBeta) Line(p engine.Position, most int) (line []engine.Move) {
	if len(s.completed) == 0 || most < 1 {
		return nil
	}
	for m := s.completed[0].Move; ; {
		line = append(line, m)
		p.Do(m)
		if len(line) == most || p.Outcome() != engine.Ongoing || !s.table.enabled() {
			break
		}
		m = s.table.move(p.Hash())
		if !slices.Contains(p.Moves(nil), m) { // no entry, or one of the same cells in a turn that was not open
			break
		}
	}
	for range line {
		p.Undo()
	}
	return line
}

// move returns the best move of a position that this search has stored, 0 if none is known.
func (t *table) move(key uint64) engine.Move {
	for _, e := range t.bucket(key) {
		if (e.tag^key)>>iterationBits == 0 && e.tag%maxIteration >= t.first {
			return engine.Move(e.data)
		}
	}
	return 0
}

// Line follows the most visited moves of the tree.
func (s *MCTS) Line(_ engine.Position, most int) (line []engine.Move) {
	if len(s.rootMoves) == 0 || most < 1 {
		return nil
	}
	best := s.rootMoves[0].Move
	index := s.tree.childOf(0, func(child *node) bool { return child.move == best })
	for index != 0 && len(line) < most {
		line = append(line, s.tree.nodes[index].move)
		index = s.tree.mostVisited(index)
	}
	return line
}

// childOf returns the first child of a node for which is holds, 0 if there is none.
func (t *tree) childOf(index uint32, is func(child *node) bool) uint32 {
	for c := t.nodes[index].lastChild; c != 0; c = t.nodes[c].sibling {
		if is(&t.nodes[c]) {
			return c
		}
	}
	return 0
}

// mostVisited returns the child of a node with the most visits, 0 if it has no children.
func (t *tree) mostVisited(index uint32) (best uint32) {
	visits := uint32(0)
	t.childOf(index, func(child *node) bool { visits = max(visits, child.visits); return false })
	return t.childOf(index, func(child *node) bool { return child.visits == visits })
}
