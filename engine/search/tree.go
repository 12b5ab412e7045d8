package search

import (
	"fmt"
	"math"
	"slices"

	"selfplay/engine"
)

// tree is an arena of nodes and moves, which grows as nodes are expanded and keeps its memory for the
// next search. A simulation adds at most one node and expands at most one. A node has no
// children yet for the moves that no simulation tried: they are in untried.
type tree struct {
	nodes   []node // the root has index 0
	untried []untried
	logits  []int16     // of the moves of evaluated nodes, if a model gives them
	path    []pathEntry // of the current simulation, from the root
}

// node is a visited position, identified by the move that leads to it. It takes 48 bytes.
// Its values are from the view of the side that played the move; those of the root from
// the view of the side to move.
type node struct {
	total       int64  // sum of the values of all simulations
	mean        int32  // total/visits; the root starts with its static value; exact in terminal nodes
	prior       int32  // prior probability of the move in 65536ths
	visits      uint32 // simulations through the node
	move        engine.Move
	lastChild   uint32 // the child added last; 0 without children
	sibling     uint32 // the child of the same parent added before this one; 0 without one
	firstMove   uint32 // of the moves of the node in tree.untried: first those not tried, the best in front. Before expansion: of its logits in tree.logits
	untriedSize uint32 // moves not tried
	moveCount   uint16 // all moves; 0 before expansion
	order       uint16 // of the move in the list of its position's moves
	state       state
	tried       uint16 // prior of the children in 65536ths, at most 65535
}

// state is the life cycle of a node.
type state uint8

const (
	unvisited state = iota
	evaluated       // visited, not expanded; the next visit expands it
	expanded        // its moves are listed
	terminal        // the game is over
)

// pathEntry is a node on the path of a simulation and the side whose view its values take.
type pathEntry struct {
	node uint32
	side engine.Side
}

// newTree returns an arena for some simulations.
func newTree(simulations int) tree {
	return tree{nodes: make([]node, 0, simulations+1), path: make([]pathEntry, 0, maxPly)}
}

// reset makes a tree of a root with a static value.
func (t *tree) reset(value int32) {
	t.nodes = append(t.nodes[:0], node{mean: value, state: evaluated})
	t.untried, t.logits = t.untried[:0], t.logits[:0]
}

// newLogits returns memory for the logits of the moves of a node until it is expanded.
func (t *tree) newLogits(index uint32, moves int) []int16 {
	first := len(t.logits)
	t.nodes[index].firstMove = uint32(first)
	t.logits = slices.Grow(t.logits, moves)[:first+moves]
	return t.logits[first:]
}

// expand gives a node its moves with their priors.
func (t *tree) expand(index uint32, moves []engine.Move, priors []int32) {
	n := &t.nodes[index]
	first := len(t.untried)
	n.firstMove, n.state = uint32(first), expanded
	n.untriedSize, n.moveCount = uint32(len(moves)), checkedMoveCount(moves)
	t.untried = slices.Grow(t.untried, len(moves))[:first+len(moves)]
	list, best, top := t.untried[first:][:len(moves)], 0, untried(0)
	for i, m := range moves {
		u := newUntried(priors[i], i, m)
		list[i] = u
		if u > top {
			best, top = i, u
		}
	}
	list[0], list[best] = list[best], list[0]
}

// tryMove adds the child of an untried move of a node, by its order, and returns its index.
func (t *tree) tryMove(n *node, order uint16) uint32 {
	list := t.untried[n.firstMove:][:n.untriedSize]
	i := slices.IndexFunc(list, func(u untried) bool { return u.order() == order })
	list[0], list[i] = list[i], list[0]
	return t.try(n)
}

// try adds the child of the first untried move of a node, usually the best, and returns its index.
func (t *tree) try(n *node) uint32 {
	list := t.untried[n.firstMove:][:n.untriedSize]
	u, last := list[0], len(list)-1
	list[0], list[last] = list[last], u
	best := 0
	for i, other := range list[:last] {
		if other > list[best] {
			best = i
		}
	}
	list[0], list[best] = list[best], list[0]
	index := uint32(len(t.nodes))
	t.nodes = append(t.nodes, node{prior: u.prior(), move: u.move(), order: u.order(), sibling: n.lastChild})
	n.untriedSize, n.lastChild = uint32(last), index
	n.tried = uint16(min(int32(n.tried)+u.prior(), one-1))
	return index
}

// sqrtTried returns the square root of the prior of the moves tried, in 65536ths.
func (n *node) sqrtTried() int { return int(math.Sqrt(float64(uint32(n.tried) << 16))) }

// push appends a node to the path.
func (t *tree) push(node uint32, side engine.Side) {
	t.path = append(t.path, pathEntry{node, side})
}

// backUp adds a value, from the view of First, to all nodes of the path.
func (t *tree) backUp(value int) {
	for _, v := range t.path {
		n := &t.nodes[v.node]
		n.visits++
		n.total += int64(changeView(v.side, value))
		if n.state != terminal {
			n.mean = int32(n.total / int64(n.visits))
		}
	}
}

// changeView converts a value between the views of First and of side.
func changeView(side engine.Side, value int) int {
	if side == engine.First {
		return value
	}
	return -value
}

// untried is a move of an expanded node and its prior. It is packed so that the largest one
// is the one to try next, the first of those with the highest prior: from the top the
// prior, how far the move is from the end of the longest list, and the move.
type untried uint64

const (
	orderBits    = 15
	maxMoveCount = 1 << orderBits
)

func newUntried(prior int32, order int, m engine.Move) untried {
	return untried(prior)<<(32+orderBits) | untried(maxMoveCount-1-order)<<32 | untried(m)
}

func (u untried) move() engine.Move { return engine.Move(u) }

// order returns the index of the move in the list of moves.
func (u untried) order() uint16 { return maxMoveCount - 1 - uint16(u>>32)&(maxMoveCount-1) }

// prior returns the prior in 65536ths.
func (u untried) prior() int32 { return int32(u >> (32 + orderBits)) }

// checkedMoveCount returns the number of some moves.
func checkedMoveCount(moves []engine.Move) uint16 {
	if len(moves) > maxMoveCount {
		panic(fmt.Sprintf("search: %d moves, at most %d fit", len(moves), maxMoveCount))
	}
	return uint16(len(moves))
}

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
