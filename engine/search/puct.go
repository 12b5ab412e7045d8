package search

import "math"

// selectChild returns the index of the child to visit; it adds the child if its move is
// untried. The PUCT rule maximises
//
//	mean + c * prior * sqrt(visits of the parent) / (1 + visits of the child)
//
// and of equal children the one listed first wins. Untried moves have the mean urgency
// (first-play urgency), from the view of the side to move at n. Only the one with the
// highest prior can win. c is in thousandths.
func (t *tree) selectChild(n *node, urgency int, c int) uint32 {
	scale := uint64(c) * sqrtFixed(n.visits) / 1000
	selected, highest, order := uint32(0), int64(math.MinInt64), uint16(0)
	if n.untriedSize > 0 {
		best := t.untried[n.firstMove]
		highest, order = int64(urgency)+exploration(best.prior(), scale, 0), best.order()
	}
	for i := n.lastChild; i != 0; {
		child := &t.nodes[i]
		sum := int64(child.mean) + exploration(child.prior, scale, child.visits)
		if sum > highest || sum == highest && child.order < order {
			selected, highest, order = i, sum, child.order
		}
		i = child.sibling
	}
	if selected == 0 {
		return t.try(n)
	}
	return selected
}

// exploration returns prior * scale / (1 + visits) in 65536ths.
func exploration(prior int32, scale uint64, visits uint32) int64 {
	return int64(uint64(prior) * scale / uint64(1+visits) >> 16)
}

// sqrtFixed returns the square root of n, at least 1, in 65536ths, rounded down. The
// radicand has few enough bits for a float64, and IEEE 754 fixes the rounding of the
// root.
func sqrtFixed(n uint32) uint64 { return uint64(math.Sqrt(float64(uint64(max(n, 1)) << 32))) }
