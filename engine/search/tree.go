package search

import (
	"math"

	"selfplay/engine"
)

// tree is an arena of nodes. The root has index 0; the children of a node are
// contiguous.
type tree struct {
	nodes []node      // its capacity limits the tree
	path  []pathEntry // of the current playout, from the root
}

// node is a position, identified by the move that leads to it. It takes 40 bytes. Its
// values are from the view of the side that played the move; those of the root from the
// view of the side to move.
type node struct {
	total      int64  // sum of the values of all playouts
	mean       int32  // total/visits; the root starts with its static value; exact in terminal nodes
	prior      int32  // prior probability of the move in 65536ths
	visits     uint32 // playouts through the node
	firstChild uint32
	childCount uint32
	move       engine.Move
	state      state
}

// state is the life cycle of a node.
type state uint8

const (
	unvisited state = iota
	evaluated       // visited, without children; the next visit expands it
	expanded        // has children
	terminal        // the game is over
)

// pathEntry is a node on the path of a playout and the side whose view its values take.
type pathEntry struct {
	node uint32
	side engine.Side
}

// newTree returns an arena for up to limit nodes.
func newTree(limit int) tree {
	return tree{nodes: make([]node, 0, limit), path: make([]pathEntry, 0, maxPly)}
}

// reset makes a tree of a root with a static value.
func (t *tree) reset(value int) {
	t.nodes = append(t.nodes[:0], node{mean: int32(value), state: evaluated})
}

// addChildren adds the children of a node. It returns false if the arena is full. The
// root always gets its children, beyond the limit if necessary.
func (t *tree) addChildren(parent uint32, moves []engine.Move) bool {
	first := len(t.nodes)
	if first+len(moves) > cap(t.nodes) && parent != 0 {
		return false
	}
	for _, m := range moves {
		t.nodes = append(t.nodes, node{move: m})
	}
	n := &t.nodes[parent]
	n.firstChild, n.childCount, n.state = uint32(first), uint32(len(moves)), expanded
	return true
}

// children returns the children of a node.
func (t *tree) children(n *node) []node {
	return t.nodes[n.firstChild : n.firstChild+n.childCount]
}

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

// firstPlayReduction is subtracted from the value of the parent to get the value of an
// unvisited child, in 65536ths (first play urgency). It makes the search try a few moves
// with high priors first.
const firstPlayReduction = one / 4

// selectChild returns the index of the child to visit. The PUCT rule maximises
//
//	mean + c * prior * sqrt(visits of the parent) / (1 + visits of the child)
//
// and the first of equal children wins. parentValue is the value of n from the view of
// the side to move there. c is in thousandths.
func (t *tree) selectChild(n *node, parentValue int, c int) uint32 {
	scale := uint64(c) * sqrtFixed(n.visits) / 1000
	children := t.children(n)
	selected, highest := 0, int64(math.MinInt64)
	for i := range children {
		child := &children[i]
		mean := int64(child.mean)
		if child.state == unvisited {
			mean = int64(parentValue) - firstPlayReduction
		}
		exploration := uint64(child.prior) * scale / uint64(1+child.visits) >> 16
		if sum := mean + int64(exploration); sum > highest {
			selected, highest = i, sum
		}
	}
	return n.firstChild + uint32(selected)
}

// sqrtFixed returns the square root of n, at least 1, in 65536ths, rounded down. The
// radicand has few enough bits for a float64, and IEEE 754 fixes the rounding of the
// root.
func sqrtFixed(n uint32) uint64 { return uint64(math.Sqrt(float64(uint64(max(n, 1)) << 32))) }
