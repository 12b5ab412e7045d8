package search

import "selfplay/engine"

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
	case s.p.Over():
		return int(s.p.Outcome().For(us)) * engine.MaxStatic
	case s.p.Turn() == us:
		return s.resolve(alpha, beta, plies)
	}
	return -s.resolve(-beta, -alpha, plies)
}

// listCaptures appends the captures with a positive gain to s.captures.
func (s *MCTS) listCaptures() {
	s.moves = s.p.Captures(s.moves[:0])
	for _, m := range s.moves {
		if gain := s.p.Gain(m); gain > 0 {
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
