package search

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"unsafe"

	"selfplay/engine"
)

// MCTSOptions configure MCTS. Only Sims is required.
type MCTSOptions struct {
	Sims int // simulations of a search, 1 to MaxSims
	C    int // PUCT exploration constant in thousandths; 0 means 1500
	FPU  int // first-play urgency: how far below its parent's value an untried move starts, in thousandths
	// FPUReduction lowers the first-play urgency further, by this times the square root of the prior
	// of the moves tried, in thousandths: the more promising moves are known, the less an untried
	// one is worth.
	FPUReduction int
	Scale        int // scale of the logistic curve: static score with an expected result of 73 %, in centi-units; 0 means 200

	// Cheap is the number of simulations of a cheap search, below Sims; 0 means that all searches are
	// full. Full is the fraction of full searches in thousandths, which src draws.
	Cheap, Full int

	Priors     Priors
	PriorScale int // softmax temperature of the priors in centi-units; 0 means 100

	Noise         int // fraction of Dirichlet noise in the root priors, in thousandths; 0 means none
	Concentration int // concentration (alpha) of the Dirichlet noise, in thousandths; 0 means 300

	Root       Root // selection of root moves
	Considered int  // of RootGumbel: root moves that are considered; 0 means 16
	Gumbel     int  // of RootGumbel: scale of the Gumbel noise in thousandths; 0 means none, 1000 is that of the paper

	Target Target // policy weights of the result

	Leaf    Leaf   // scores of leaves
	Scorer  Scorer // source of static scores, of this searcher alone; nil means Evaluate
	Rollout int    // random plies before a leaf is scored; 0 means none
	Abort   Abort  // ends the search early, after one simulation at least

	// Model gives the values of leaves and the logits of moves, of this searcher alone. It needs
	// PriorNet, and excludes a Scorer, LeafQuiescence and Rollout, which score other positions than
	// those of the tree. nil means none.
	Model Model
}

// Priors selects the scores that the priors are a softmax of. Those of PriorNet are logits in
// hundredths, so with a PriorScale of 100 the priors are the probabilities of the policy.
type Priors uint8

// The sources of priors.
const (
	PriorGain   Priors = iota // Gain of the move: cheap
	PriorStatic               // static score after the move: more accurate, plays every child once
	PriorDelta                // Gain and Placement of the move: the change of the static score without playing
	PriorNet                  // logit by Model or by Scorer, which must be a Policy
)

// Root selects how simulations choose root moves.
type Root uint8

// The selections of root moves.
const (
	RootPUCT   Root = iota // as in all other nodes
	RootGumbel             // a sample of moves and sequential halving: see gumbel.go
)

// Leaf selects the scores of leaves.
type Leaf uint8

// The scores of leaves.
const (
	LeafStatic     Leaf = iota // static score
	LeafQuiescence             // static score after the best captures
)

// Target selects the policy weights of root moves.
type Target uint8

// The policy targets.
const (
	TargetVisits     Target = iota // visits
	TargetCompletedQ               // softmax of prior and completed value: see gumbel.go
)

// Limits of the options.
const (
	MaxSims    = 1<<16 - 1 // so that the moves of all nodes have indexes of 32 bits
	maxScale   = engine.MaxStatic
	maxC       = 1_000_000
	maxFPU     = 2000
	maxGumbel  = 10_000
	maxRollout = 10_000
)

// Validate returns an error for the first option out of range, or if Scorer cannot give the Priors.
func (o MCTSOptions) Validate() error {
	for _, c := range []struct {
		name            string
		value, min, max int
	}{
		{"sims", o.Sims, 1, MaxSims},
		{"c", o.C, 0, maxC},
		{"fpu", o.FPU, -maxFPU, maxFPU},
		{"fpu reduction", o.FPUReduction, 0, maxFPU},
		{"cheap", o.Cheap, 0, max(o.Sims-1, 0)},
		{"full", o.Full, 0, 1000},
		{"scale", o.Scale, 0, maxScale},
		{"priors", int(o.Priors), 0, int(PriorNet)},
		{"prior scale", o.PriorScale, 0, maxScale},
		{"noise", o.Noise, 0, 1000},
		{"concentration", o.Concentration, 0, 1_000_000},
		{"root", int(o.Root), 0, int(RootGumbel)},
		{"considered", o.Considered, 0, maxMoveCount},
		{"gumbel", o.Gumbel, 0, maxGumbel},
		{"leaf", int(o.Leaf), 0, int(LeafQuiescence)},
		{"target", int(o.Target), 0, int(TargetCompletedQ)},
		{"rollout", o.Rollout, 0, maxRollout},
	} {
		if c.value < c.min || c.value > c.max {
			return fmt.Errorf("set %s %d: want %d to %d", c.name, c.value, c.min, c.max)
		}
	}
	if o.Root == RootGumbel && o.Noise > 0 {
		return errors.New("set noise: want none with RootGumbel, which has noise of its own")
	}
	return o.validateSources()
}

// validateSources returns an error if the sources of scores and logits do not fit each other.
func (o MCTSOptions) validateSources() error {
	_, isPolicy := o.Scorer.(Policy)
	switch {
	case o.Model == nil && o.Priors == PriorNet && !isPolicy:
		return fmt.Errorf("set priors %d: want a Scorer that is a Policy", o.Priors)
	case o.Model == nil:
		return nil
	case o.Priors != PriorNet:
		return fmt.Errorf("set priors %d: want %d with a Model", o.Priors, PriorNet)
	case o.Scorer != nil || o.Leaf != LeafStatic || o.Rollout > 0:
		return errors.New("set a Model: want no Scorer, static leaves and no rollouts")
	}
	return nil
}

// TreeBytes returns the largest size of the tree of a search, in a game whose positions have at most
// some number of legal moves. Every simulation adds a node and may expand one.
func (o MCTSOptions) TreeBytes(moves int) uint64 {
	perMove := unsafe.Sizeof(untried(0))
	if o.Model != nil {
		perMove += unsafe.Sizeof(int16(0)) // its logit
	}
	lists := uint64(moves) * uint64(perMove) * 5 / 4 // a slice that is full grows by a quarter
	return uint64(o.Sims+1) * (uint64(unsafe.Sizeof(node{})) + lists)
}

// withDefaults replaces zero options by their defaults.
func (o MCTSOptions) withDefaults() MCTSOptions {
	for _, d := range []struct {
		option *int
		value  int
	}{
		{&o.C, 1500},
		{&o.Scale, 200},
		{&o.PriorScale, 100},
		{&o.Concentration, 300},
		{&o.Considered, 16},
	} {
		if *d.option == 0 {
			*d.option = d.value
		}
	}
	return o
}

// MCTS is Monte Carlo tree search by the PUCT rule. Priors are a softmax of gains, static
// scores or the logits of a Policy, leaf values are scores on the logistic curve, and ends of
// the game have their exact value. Tree statistics are integers.
type MCTS struct {
	options MCTSOptions
	policy  Policy // nil unless it gives the priors

	// State of the current search.
	p     engine.Position
	e     engine.Evaluator // p, nil in a game without a static score
	src   *rand.PCG
	err   error // of the model, which ends the search
	nodes uint64
	pause uint64 // number of nodes at which to call Abort
	depth int    // longest path so far, in plies
	sims  int    // simulations
	cheap bool   // the search is cheap: see drawCap
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
func (s *MCTS) Search(p engine.Position, src *rand.PCG) Result {
	s.p, s.src, s.err, s.nodes, s.pause, s.depth = p, src, nil, 0, 0, 0
	s.e, _ = p.(engine.Evaluator)
	s.rootMoves = s.rootMoves[:0]
	if p.Outcome() != engine.Ongoing {
		return Result{}
	}
	s.drawCap()
	if s.options.Scorer != nil {
		s.options.Scorer.Begin(s.e)
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
		side = us
		if child == 0 {
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
func (s *MCTS) static() int { return staticScore(s.options.Scorer, s.e) }

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

// Line follows the most visited moves of the tree.
func (s *MCTS) Line(_ engine.Position, limit int) (line []engine.Move) {
	if len(s.rootMoves) == 0 || limit < 1 {
		return nil
	}
	best := s.rootMoves[0].Move
	index := s.tree.childOf(0, func(child *node) bool { return child.move == best })
	for index != 0 && len(line) < limit {
		line = append(line, s.tree.nodes[index].move)
		index = s.tree.mostVisited(index)
	}
	return line
}
