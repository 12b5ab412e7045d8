package search

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"selfplay/engine"
)

// MCTS is Monte Carlo tree search by the PUCT rule. Priors are a softmax of gains, static
// scores or the logits of a Policy, leaf values are scores on the logistic curve, and ends of
// the game have their exact value. Tree statistics are integers.
type MCTS struct {
	options MCTSOptions
	policy  Policy // nil unless it gives the priors

	// State of the current search.
	p     engine.Evaluator
	src   *rand.PCG
	err   error // of the model, which ends the search
	nodes uint64
	pause uint64 // number of nodes at which to call Abort
	depth int    // longest path so far, in plies
	sims  int    // simulations
	cheap bool   // the search is cheap: see cap.go
	tree  tree

	moves      []engine.Move
	captures   []capture
	priors     []int32 // of moves
	rootMoves  []RootMove
	rootValue  int32   // as a leaf
	rootPriors []int32 // without noise
	values     []int32 // of the root moves
	candidates []candidate
	weights    []float64
}

// NewMCTS returns an MCTS for one goroutine. It panics if o.Validate reports an error.
func NewMCTS(o MCTSOptions) *MCTS {
	if err := o.Validate(); err != nil {
		panic("search: " + err.Error())
	}
	o = o.withDefaults()
	s := &MCTS{options: o, tree: newTree(o.Sims)}
	if o.Priors == PriorNet && o.Model == nil {
		s.policy = o.Scorer.(Policy)
	}
	return s
}

// Search runs Sims simulations, or fewer: see Cheap. It orders the moves by visits, then by score, then as
// listed; RootGumbel puts the move that it chooses of the most visited ones first. A move's score is
// its mean value converted to centi-units, or exact if the move ends the game. Noise, Gumbel, Cheap and Rollout draw from src. Nodes includes the positions of
// rollouts.
func (s *MCTS) Search(p engine.Evaluator, src *rand.PCG) Result {
	s.p, s.src, s.err, s.nodes, s.pause, s.depth = p, src, nil, 0, 0, 0
	s.rootMoves = s.rootMoves[:0]
	if p.Over() {
		return Result{}
	}
	s.drawCap()
	if s.options.Scorer != nil {
		s.options.Scorer.Begin(p)
	}
	s.evaluateRoot()
	if !s.expand(0) {
		return Result{Aborted: s.err != nil, Err: s.err}
	}
	aborted := s.err != nil || s.runSimulations()
	r := newResult(s.listRootMoves(), s.nodes, s.depth)
	r.Aborted, r.Err, r.Cheap = aborted, s.err, s.cheap
	return r
}

// runSimulations runs the simulations of a search. It reports whether the search was aborted.
func (s *MCTS) runSimulations() (aborted bool) {
	if s.options.Root == RootGumbel {
		return s.searchByHalving()
	}
	for i := 0; i < s.sims && !aborted; i++ {
		s.simulate(0)
		aborted = s.err != nil || i+1 < s.sims && s.isAborted()
	}
	return aborted
}

// evaluateRoot makes a tree of the root, which has its value as a leaf.
func (s *MCTS) evaluateRoot() {
	if s.options.Model != nil {
		s.tree.reset(0)
		s.rootValue = s.askRoot()
		return
	}
	s.rootValue = int32(valueOf(s.leafScore(), s.options.Scale))
	s.tree.reset(s.rootValue)
}

// isAborted calls Abort if enough nodes have been visited since the last call. Each node may wait
// for a model, so a search with one asks after every simulation.
func (s *MCTS) isAborted() bool {
	if s.options.Abort == nil || s.nodes < s.pause {
		return false
	}
	if s.options.Model == nil {
		s.pause = s.nodes + abortInterval
	}
	return s.options.Abort()
}

// simulate selects a leaf, evaluates it and backs its value up. It begins with a child of the root, or
// with the one that PUCT selects if child is 0.
func (s *MCTS) simulate(child uint32) {
	t, p := &s.tree, s.p
	t.path = t.path[:0]
	// side is the side whose view the values of node index take.
	index, side, plies := uint32(0), p.Turn(), 0
	t.push(index, side)
	for s.descend(index, plies) {
		us, n := p.Turn(), &t.nodes[index]
		value := int(n.mean)
		if us != side {
			value = -value
		}
		if side = us; child == 0 {
			child = t.selectChild(n, s.urgency(n, value), s.options.C)
		}
		index, child = child, 0
		s.do(t.nodes[index].move)
		t.push(index, side)
		plies++
	}
	t.backUp(s.leafValue(index, side))
	for range plies {
		p.Undo()
	}
	s.depth = max(s.depth, plies)
}

// urgency returns the first-play urgency of the untried moves of a node with some value.
func (s *MCTS) urgency(n *node, value int) int {
	value -= s.options.FPU * one / 1000
	if s.options.FPUReduction > 0 {
		value -= s.options.FPUReduction * n.sqrtTried() / 1000
	}
	return value
}

// descend reports whether a simulation continues below a node. It expands the node on its
// second visit.
func (s *MCTS) descend(index uint32, plies int) bool {
	switch s.tree.nodes[index].state {
	case expanded:
		return plies < maxPly-1
	case evaluated:
		return plies < maxPly-1 && s.expand(index)
	default:
		return false
	}
}

// static returns the static score of the position.
func (s *MCTS) static() int { return staticScore(s.options.Scorer, s.p) }

// do plays a move and counts the node.
func (s *MCTS) do(m engine.Move) {
	s.nodes++
	s.p.Do(m)
}

// listRootMoves returns the moves of the root, ordered.
func (s *MCTS) listRootMoves() []RootMove {
	t := &s.tree
	root := &t.nodes[0]
	s.rootMoves = slices.Grow(s.rootMoves[:0], int(root.moveCount))[:root.moveCount]
	for _, u := range t.untried[root.firstMove:][:root.moveCount] {
		s.rootMoves[u.order()] = RootMove{Move: u.move()}
	}
	for i := root.lastChild; i != 0; i = t.nodes[i].sibling {
		n := &t.nodes[i]
		m := &s.rootMoves[n.order]
		m.Visits, m.Exact, m.Score = n.visits, true, scoreOf(int(n.mean), s.options.Scale)
		if n.state == terminal {
			m.Score = int(n.mean) / one * (MateScore - 1)
		}
	}
	s.weigh()
	slices.SortStableFunc(s.rootMoves, func(a, b RootMove) int {
		return cmp.Or(cmp.Compare(b.Visits, a.Visits), cmp.Compare(b.Score, a.Score))
	})
	if s.options.Root == RootGumbel {
		s.putChosenFirst()
	}
	return s.rootMoves
}
