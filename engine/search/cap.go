package search

import "selfplay/engine"

// Playout cap randomisation by Wu, "Accelerating self-play learning in Go", 2019, section 3.1: a
// part of the searches is full; the others are cheap. Full searches make targets of policies, which
// need many simulations. Cheap ones finish more games, which make targets of values. A cheap search
// plays as well as it can, so it has no noise.

// drawCap draws whether the next search is full. It draws nothing if all searches are.
func (s *MCTS) drawCap() {
	s.sims, s.cheap = s.options.Sims, false
	if s.options.Cheap == 0 {
		return
	}
	if engine.Below(s.src, 1000) >= uint32(s.options.Full) {
		s.sims, s.cheap = s.options.Cheap, true
	}
}

// noiseOf returns the amount of some noise in the search.
func (s *MCTS) noiseOf(amount int) int {
	if s.cheap {
		return 0
	}
	return amount
}
