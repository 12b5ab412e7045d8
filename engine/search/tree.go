package search

import (
	"math"

	"selfplay/engine"
)

// tree is an arena of nodes; the root is the first. Children lie side by side.
type tree struct {
	nodes []node // the capacity is the limit
	path  []visit
}

// node is a position by the move that leads to it: 40 bytes.
type node struct {
	total  int64  // sum of values, as the side that played the move sees them
	mean   int32  // of total; of a root without visits its own value, of an end the exact one
	prior  int32  // what the move is thought to be worth before it is tried, in 65536ths
	visits uint32 // playouts through here
	first  uint32 // child; the others follow
	count  uint32 // of children
	move   engine.Move
	state  state
}

// state is how much is known of a node.
type state uint8

const (
	unseen   state = iota // no playout came here
	seen                  // it was evaluated; the next playout expands it
	expanded              // it has children
	over                  // the game ends here
)

// visit is a node of the path from the root, and who sees its values.
type visit struct {
	node uint32
	side engine.Side
}

// newTree returns an arena for so many nodes.
func newTree(limit int) tree {
	return tree{nodes: make([]node, 0, limit), path: make([]visit, 0, maxPly)}
}

// plant makes a tree of a root with a value.
func (t *tree) plant(value int) {
	t.nodes = append(t.nodes[:0], node{mean: int32(value), state: seen})
}

// add appends children to a node; false if there is no room for them. The root
// always has its children.
func (t *tree) add(parent uint32, moves []engine.Move) bool {
	first := len(t.nodes)
	if first+len(moves) > cap(t.nodes) && parent != 0 {
		return false
	}
	for _, m := range moves {
		t.nodes = append(t.nodes, node{move: m})
	}
	n := &t.nodes[parent]
	n.first, n.count, n.state = uint32(first), uint32(len(moves)), expanded
	return true
}

// children returns the children of a node.
func (t *tree) children(n *node) []node { return t.nodes[n.first : n.first+n.count] }

// enter puts a node at the end of the path.
func (t *tree) enter(node uint32, side engine.Side) {
	t.path = append(t.path, visit{node, side})
}

// back takes a value, as First sees it, to all nodes of the path.
func (t *tree) back(value int) {
	for _, v := range t.path {
		n := &t.nodes[v.node]
		n.visits++
		n.total += int64(from(v.side, value))
		if n.state != over {
			n.mean = int32(n.total / int64(n.visits))
		}
	}
}

// from turns a value of First into one of a side, and back.
func from(side engine.Side, value int) int {
	if side == engine.First {
		return value
	}
	return -value
}

// urgency is how much less than its parent a move is expected to be worth that was
// not tried yet, in 65536ths: so a few good priors are tried first.
const urgency = one / 4

// choose returns the child of a node to follow: the one with the most of its mean
// plus c * prior * sqrt(visits of the parent) / (1 + visits of its own), the first
// of equals. own is what the node is worth to the side that moves there, c is in
// thousandths.
func (t *tree) choose(n *node, own int, c int) uint32 {
	width := uint64(c) * root(n.visits) / 1000
	list := t.children(n)
	found, most := 0, int64(math.MinInt64)
	for i := range list {
		child := &list[i]
		mean := int64(child.mean)
		if child.state == unseen {
			mean = int64(own) - urgency
		}
		hope := uint64(child.prior) * width / uint64(1+child.visits) >> 16
		if sum := mean + int64(hope); sum > most {
			found, most = i, sum
		}
	}
	return n.first + uint32(found)
}

// root returns the square root of n, at least 1, in 65536ths. The number under
// the root has few enough bits for a float, and the root is rounded by IEEE 754.
func root(n uint32) uint64 { return uint64(math.Sqrt(float64(uint64(max(n, 1)) << 32))) }
