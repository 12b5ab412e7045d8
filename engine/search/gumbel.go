package search

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
)

// Planning with Gumbel noise at the root, by Danihelka et al., "Policy improvement by planning
// with Gumbel", 2022, section 3 and algorithm 1. A search considers the m moves with the highest
//
//	g + ln prior
//
// where g is Gumbel noise: they are a sample of the priors without replacement. Sequential halving
// divides the simulations among them: after each phase the better half stays, by
//
//	g + ln prior + sigma(q)
//
// with sigma as for completed Q-values. The best of the most visited moves is the move of the search. All of
// these sums are integers, in 65536ths. Below the root the PUCT rule selects.

// candidate is a move that is considered at the root.
type candidate struct {
	order  uint16 // of the move in the list of the root's moves
	base   int64  // g + ln prior
	child  uint32 // index in the tree; 0 before the first visit
	visits uint32
}

// considerMoves sets s.candidates to the moves with the highest g + ln prior, the best first.
func (s *MCTS) considerMoves() {
	s.candidates = s.candidates[:0]
	for i, prior := range s.rootPriors {
		base := fixed(log(float64(prior)/one)) + gumbel(s.noiseOf(s.options.Gumbel), s.src)
		s.consider(candidate{order: uint16(i), base: base})
	}
}

// consider inserts a move behind those that are not worse, and removes the last one if there are
// too many.
func (s *MCTS) consider(c candidate) {
	list := s.candidates
	if len(list) < min(s.options.Considered, s.sims) {
		list = append(list, c)
	} else if list[len(list)-1].base >= c.base {
		return
	}
	i := len(list) - 1
	for ; i > 0 && list[i-1].base < c.base; i-- {
		list[i] = list[i-1]
	}
	list[i], s.candidates = c, list
}

// searchByHalving runs the simulations of a search. It reports whether the search was aborted. The moves
// of a round have been visited once in every earlier round, and no other moves have.
func (s *MCTS) searchByHalving() (aborted bool) {
	s.considerMoves()
	left := s.sims
	h := newHalving(left, len(s.candidates))
	for round := uint32(0); left > 0; round++ {
		for range min(h.next(), left) {
			s.simulateFrom(s.bestCandidate(round))
			left--
			if s.err != nil || left > 0 && s.isAborted() {
				return true
			}
		}
	}
	return false
}

// bestCandidate returns the candidate with the highest sum among those with some visits. Before
// their first visit all moves have the same value, so it is left out.
func (s *MCTS) bestCandidate(visits uint32) (best *candidate) {
	most, highest := s.mostVisits(), int64(math.MinInt64)
	for i := range s.candidates {
		c := &s.candidates[i]
		if c.visits != visits {
			continue
		}
		sum := c.base
		if visits > 0 {
			sum += sigma(s.tree.nodes[c.child].mean, most)
		}
		if sum > highest {
			best, highest = c, sum
		}
	}
	return best
}

// mostVisits returns the visits of the most visited candidate.
func (s *MCTS) mostVisits() (most uint32) {
	for i := range s.candidates {
		most = max(most, s.candidates[i].visits)
	}
	return most
}

// sigma returns (completedVisits + most) * q in 65536ths, where q is the expected result from 0
// to 1 of a value.
func sigma(value int32, most uint32) int64 {
	return int64(completedVisits+most) * int64(value+one) / 2
}

// simulateFrom runs a simulation that begins with a candidate.
func (s *MCTS) simulateFrom(c *candidate) {
	t := &s.tree
	if c.child == 0 {
		c.child = t.tryMove(&t.nodes[0], c.order)
	}
	c.visits++
	s.simulate(c.child)
}

// putChosenFirst moves the best of the most visited candidates to the front of the root moves, which
// are in order of their visits.
func (s *MCTS) putChosenFirst() {
	if s.tree.nodes[0].visits == 0 {
		return // the model failed at the root
	}
	move := s.tree.nodes[s.bestCandidate(s.mostVisits()).child].move
	i := slices.IndexFunc(s.rootMoves, func(m RootMove) bool { return m.Move == move })
	chosen := s.rootMoves[i]
	copy(s.rootMoves[1:], s.rootMoves[:i])
	s.rootMoves[0] = chosen
}

// halving is the schedule of sequential halving: the number of moves of each round. A round is one
// simulation for each of its moves. Each of the log2(m) phases has about the same number of
// simulations; simulations that are left go to the last two moves. The schedule is that of the authors'
// library mctx.
type halving struct {
	sims, phases int
	moves        int // of the current phase
	rounds       int // left in it
}

func newHalving(sims, moves int) halving {
	h := halving{sims: sims, phases: max(1, bits.Len(uint(moves-1))), moves: moves}
	h.rounds = h.roundsOf(moves)
	return h
}

// roundsOf returns the number of rounds of a phase.
func (h *halving) roundsOf(moves int) int { return max(1, h.sims/(h.phases*moves)) }

// next returns the number of moves of the next round.
func (h *halving) next() (moves int) {
	if h.rounds == 0 {
		h.moves = max(min(2, h.moves), h.moves/2)
		h.rounds = h.roundsOf(h.moves)
	}
	h.rounds--
	return h.moves
}

// gumbel draws Gumbel noise in 65536ths, multiplied by a scale in thousandths. It draws nothing if
// the scale is 0.
func gumbel(scale int, src *rand.PCG) int64 {
	if scale == 0 {
		return 0
	}
	return fixed(-log(-log(uniform(src)))) * int64(scale) / 1000
}

// fixed converts a number to 65536ths, rounded towards 0.
func fixed(x float64) int64 { return int64(float64(x * one)) }

// The policy target of completed values by Danihelka et al., "Policy improvement by
// planning with Gumbel", 2022: softmax(ln prior + sigma(q)) with the monotonic function
//
//	sigma(q) = (completedVisits + most visits of a move) * q
//
// where q is the expected result of the move, from 0 (loss) to 1 (win). An unvisited move
// has the mixed value of the root: the mean of its value as a leaf, counted once, and of the
// values of the visited moves, weighted by prior and counted as often as they were visited.
const completedVisits = 50

// weigh sets the policy weights of the root moves, which are in the order of the list.
func (s *MCTS) weigh() {
	if s.options.Target == TargetVisits {
		for i := range s.rootMoves {
			m := &s.rootMoves[i]
			m.Weight = uint16(min(m.Visits, math.MaxUint16))
		}
		return
	}
	if s.tree.nodes[0].visits == 0 {
		return // the model failed at the root
	}
	s.completeQ()
	s.weighCompletedQ()
}

// completeQ sets s.values to the values of the root moves.
func (s *MCTS) completeQ() {
	t, root := &s.tree, &s.tree.nodes[0]
	sum, priors := int64(0), int64(0)
	for i := root.lastChild; i != 0; i = t.nodes[i].sibling {
		prior := int64(s.rootPriors[t.nodes[i].order])
		sum += prior * int64(t.nodes[i].mean)
		priors += prior
	}
	mixed := (int64(s.rootValue) + int64(root.visits)*(sum/priors)) / int64(1+root.visits)
	s.values = s.values[:0]
	for range s.rootPriors {
		s.values = append(s.values, int32(mixed))
	}
	for i := root.lastChild; i != 0; i = t.nodes[i].sibling {
		s.values[t.nodes[i].order] = t.nodes[i].mean
	}
}

// weighCompletedQ sets the weight of each root move relative to the largest, 65535. Visited
// moves weigh at least 1.
func (s *MCTS) weighCompletedQ() {
	most, highest := uint32(0), math.Inf(-1)
	for _, m := range s.rootMoves {
		most = max(most, m.Visits)
	}
	s.weights = s.weights[:0]
	for i, prior := range s.rootPriors {
		q := float64(s.values[i]+one) / (2 * one)
		logit := log(float64(prior)/one) + float64(float64(completedVisits+most)*q)
		s.weights = append(s.weights, logit)
		highest = max(highest, logit)
	}
	for i := range s.rootMoves {
		m := &s.rootMoves[i]
		m.Weight = uint16(float64(math.MaxUint16*exp(s.weights[i]-highest)) + 0.5)
		if m.Visits > 0 {
			m.Weight = max(m.Weight, 1)
		}
	}
}
