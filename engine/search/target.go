package search

import "math"

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
