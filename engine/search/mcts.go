package search

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"

	"selfplay/engine"
)

// MCTSOptions say how MCTS grows its tree. Only Sims has to be set.
type MCTSOptions struct {
	Sims  int // playouts of a search, to MaxSims
	Nodes int // most nodes of the tree, 40 bytes each; 0 means 64 a playout and 1024 more
	C     int // weight of priors against values, in thousandths; 0 means 1500
	Scale int // static score that is expected to win 73 of 100 games, centi-units; 0 means 200

	Priors     Priors
	PriorScale int // score by which a move may be worse for e times less of a prior, centi-units; 0 means 100

	Noise         int // share of noise in the root's priors, in thousandths; 0 for none
	Concentration int // of the noise (the alpha of Dirichlet), in thousandths; 0 means 300

	Rollout int // random plies before the static score is taken; 0 for none
}

// Priors is where the first guess at a move comes from.
type Priors uint8

// The sources of priors.
const (
	PriorGain   Priors = iota // Gain, at almost no cost
	PriorStatic               // the static score after the move: better, and every child is played for it
)

// The largest values of options.
const (
	MaxSims    = 1 << 20
	MaxTree    = 1 << 28
	maxScale   = engine.MaxStatic
	maxC       = 1_000_000
	maxRollout = 10_000
)

// Validate returns what is wrong with the options, nil if nothing is.
func (o MCTSOptions) Validate() error {
	for _, c := range []struct {
		name               string
		value, least, most int
	}{
		{"sims", o.Sims, 1, MaxSims},
		{"nodes", o.Nodes, 0, MaxTree},
		{"c", o.C, 0, maxC},
		{"scale", o.Scale, 0, maxScale},
		{"priors", int(o.Priors), 0, int(PriorStatic)},
		{"prior scale", o.PriorScale, 0, maxScale},
		{"noise", o.Noise, 0, 1000},
		{"concentration", o.Concentration, 0, 1_000_000},
		{"rollout", o.Rollout, 0, maxRollout},
	} {
		if c.value < c.least || c.value > c.most {
			return fmt.Errorf("set %s %d: want %d to %d", c.name, c.value, c.least, c.most)
		}
	}
	return nil
}

// withDefaults fills in what was left 0.
func (o MCTSOptions) withDefaults() MCTSOptions {
	for _, d := range []struct {
		option *int
		value  int
	}{
		{&o.Nodes, 64*o.Sims + 1024},
		{&o.C, 1500},
		{&o.Scale, 200},
		{&o.PriorScale, 100},
		{&o.Concentration, 300},
	} {
		if *d.option == 0 {
			*d.option = d.value
		}
	}
	return o
}

// MCTS is Monte Carlo tree search by the PUCT rule without a network: priors come
// from what moves win, values from static scores through the logistic curve. Ends
// of the game have their exact value. All numbers are integers.
type MCTS struct {
	options MCTSOptions

	// Of the search under way.
	p     engine.Evaluator
	src   *rand.PCG
	nodes uint64
	depth int
	tree  tree

	moves   []engine.Move
	lines   []RootMove
	weights []float64
}

// NewMCTS returns a searcher for one goroutine. Invalid options are a bug of the
// caller; ask Validate.
func NewMCTS(o MCTSOptions) *MCTS {
	if err := o.Validate(); err != nil {
		panic("search: " + err.Error())
	}
	o = o.withDefaults()
	return &MCTS{options: o, tree: newTree(o.Nodes)}
}

// Search plays Sims playouts and orders the moves by how many of them began with
// each, then by score, then as listed. A line's score is its mean value on the
// curve, or exact where the move ends the game. src serves Noise and Rollout.
// Positions on rollouts count as nodes too.
func (s *MCTS) Search(p engine.Evaluator, src *rand.PCG) Result {
	s.p, s.src, s.nodes, s.depth = p, src, 0, 0
	s.lines = s.lines[:0]
	if p.Over() {
		return Result{}
	}
	s.tree.plant(valueOf(p.Evaluate(), s.options.Scale))
	if !s.expand(0) {
		return Result{}
	}
	if s.options.Noise > 0 {
		s.addNoise()
	}
	for range s.options.Sims {
		s.playout()
	}
	return answer(s.told(), s.nodes, s.depth)
}

// addNoise disturbs the priors of the root.
func (s *MCTS) addNoise() {
	list := s.tree.children(&s.tree.nodes[0])
	s.weights = slices.Grow(s.weights[:0], len(list))[:len(list)]
	disturb(list, s.weights, s.options.Noise, s.options.Concentration, s.src)
}

// playout follows the tree to a leaf and takes its value back.
func (s *MCTS) playout() {
	t, p := &s.tree, s.p
	t.path = t.path[:0]
	at, side, plies := uint32(0), p.Turn(), 0
	t.enter(at, side)
	for s.follow(at, plies) {
		us, n := p.Turn(), &t.nodes[at]
		own := int(n.mean)
		if us != side {
			own = -own
		}
		at, side = t.choose(n, own, s.options.C), us
		s.do(t.nodes[at].move)
		t.enter(at, side)
		plies++
	}
	t.back(s.value(at, side))
	for range plies {
		p.Undo()
	}
	s.depth = max(s.depth, plies)
}

// follow reports whether a playout goes on below a node, and expands it if so.
func (s *MCTS) follow(at uint32, plies int) bool {
	switch s.tree.nodes[at].state {
	case expanded:
		return plies < maxPly-1
	case seen:
		return plies < maxPly-1 && s.expand(at)
	}
	return false
}

// value returns the value of the leaf where p stands, as First sees it. side sees
// the values of the leaf.
func (s *MCTS) value(at uint32, side engine.Side) int {
	n := &s.tree.nodes[at]
	if n.state == over {
		return from(side, int(n.mean))
	}
	if n.state == unseen {
		n.state = seen
		if o := s.p.Outcome(); o != engine.Ongoing {
			n.state, n.mean = over, int32(o.For(side))*one
			return from(side, int(n.mean))
		}
	}
	return s.evaluate()
}

// evaluate returns the value of p by a rollout or by its static score, as First
// sees it.
func (s *MCTS) evaluate() (value int) {
	plies, p := 0, s.p
	for plies < s.options.Rollout {
		if _, ok := p.DoRandom(s.src); !ok {
			break
		}
		plies++
	}
	s.nodes += uint64(plies)
	if o := s.outcomeAfter(plies); o != engine.Ongoing {
		value = int(o.For(engine.First)) * one
	} else {
		value = from(p.Turn(), valueOf(p.Evaluate(), s.options.Scale))
	}
	for range plies {
		p.Undo()
	}
	return value
}

// outcomeAfter returns how a rollout ended. Where none was played the game goes on.
func (s *MCTS) outcomeAfter(plies int) engine.Outcome {
	if plies == 0 {
		return engine.Ongoing
	}
	return s.p.Outcome()
}

// do plays a move of the tree.
func (s *MCTS) do(m engine.Move) {
	s.nodes++
	s.p.Do(m)
}

// expand gives a node its children, with priors; false if it has no moves or the
// arena no room.
func (s *MCTS) expand(at uint32) bool {
	s.moves = s.p.Moves(s.moves[:0])
	if len(s.moves) == 0 || !s.tree.add(at, s.moves) {
		return false
	}
	list := s.tree.children(&s.tree.nodes[at])
	best := -infinite
	for i := range list {
		list[i].prior = int32(s.promise(list[i].move))
		best = max(best, int(list[i].prior))
	}
	softmax(list, best, s.options.PriorScale)
	return true
}

// promise returns the score that the prior of a move is made of.
func (s *MCTS) promise(m engine.Move) int {
	if s.options.Priors == PriorGain {
		return s.p.Gain(m)
	}
	us := s.p.Turn()
	s.do(m)
	defer s.p.Undo()
	if s.p.Over() {
		return int(s.p.Outcome().For(us)) * engine.MaxStatic
	}
	return seenBy(us, s.p, s.p.Evaluate())
}

// told returns the children of the root as lines in order.
func (s *MCTS) told() []RootMove {
	list := s.tree.children(&s.tree.nodes[0])
	for i := range list {
		n := &list[i]
		line := RootMove{Move: n.move, Visits: n.visits, Exact: n.visits > 0}
		if n.state == over {
			line.Score = int(n.mean) / one * (MateScore - 1)
		} else if n.visits > 0 {
			line.Score = scoreOf(int(n.mean), s.options.Scale)
		}
		s.lines = append(s.lines, line)
	}
	slices.SortStableFunc(s.lines, func(a, b RootMove) int {
		return cmp.Or(cmp.Compare(b.Visits, a.Visits), cmp.Compare(b.Score, a.Score))
	})
	return s.lines
}
