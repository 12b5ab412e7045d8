package search

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"selfplay/engine"
	"selfplay/engine/chess"
	"selfplay/engine/contrast"
	"selfplay/engine/cotulenh"
)

// plainTree is MCTS as textbooks have it: every node has all its children, and the rule
// looks at all of them. It is the model of MCTS without noise and rollouts.
type plainTree struct {
	p engine.Evaluator
	o MCTSOptions
}

type plainNode struct {
	move        engine.Move
	prior, mean int64
	total       int64
	visits      uint32
	over        bool
	children    []*plainNode
}

// plainSearch returns the root after all simulations.
func plainSearch(p engine.Evaluator, o MCTSOptions) *plainNode {
	o = o.withDefaults()
	t := plainTree{p: p, o: o}
	root := &plainNode{mean: t.static()}
	t.expand(root)
	for range o.Sims {
		t.visit(root, p.Turn())
	}
	return root
}

// visit runs a simulation through n and returns its value from the view of First. side is the
// side whose view the values of n take.
func (t *plainTree) visit(n *plainNode, side engine.Side) int64 {
	value := n.mean
	switch {
	case n.over:
		value *= 1 - 2*int64(side)
	case n.visits == 0 && n.children == nil:
		value = t.leaf(n, side)
	default:
		if n.children == nil {
			t.expand(n)
		}
		us := t.p.Turn()
		c := t.choose(n, us == side)
		t.p.Do(c.move)
		value = t.visit(c, us)
		t.p.Undo()
	}
	n.visits++
	n.total += value * (1 - 2*int64(side))
	if !n.over {
		n.mean = n.total / int64(n.visits)
	}
	return value
}

// leaf returns the value of a node at its first visit.
func (t *plainTree) leaf(n *plainNode, side engine.Side) int64 {
	o := t.p.Outcome()
	if o == engine.Ongoing {
		return t.value()
	}
	n.over, n.mean = true, int64(o.For(side))*one
	return int64(o.For(engine.First)) * one
}

// value returns the value of a leaf from the view of First.
func (t *plainTree) value() int64 {
	return t.static() * (1 - 2*int64(t.p.Turn()))
}

// static returns the value of the position as a leaf from the view of the side to move.
func (t *plainTree) static() int64 {
	if t.o.Model != nil {
		value, _ := t.o.Model.Evaluate(t.p, nil, nil)
		return int64(value) * (one / ModelOne)
	}
	return int64(valueOf(plainScore(t.p, t.o.Leaf), t.o.Scale))
}

// plainScore returns the score of a leaf by minimax without pruning.
func plainScore(p engine.Evaluator, leaf Leaf) int {
	if leaf == LeafStatic {
		return p.Evaluate()
	}
	return plainResolve(p, leafPlies)
}

func plainResolve(p engine.Evaluator, plies int) int {
	best, us := p.Evaluate(), p.Turn()
	if plies == 0 {
		return best
	}
	for _, m := range p.Captures(nil) {
		if p.Gain(m) > 0 {
			p.Do(m)
			if p.Over() {
				best = max(best, int(p.Outcome().For(us))*engine.MaxStatic)
			} else {
				best = max(best, viewOf(us, p, plainResolve(p, plies-1)))
			}
			p.Undo()
		}
	}
	return best
}

// expand lists the children.
func (t *plainTree) expand(n *plainNode) {
	moves := t.p.Moves(nil)
	scores, best := make([]int32, len(moves)), math.MinInt32
	for i, m := range moves {
		scores[i] = t.score(m)
		best = max(best, int(scores[i]))
	}
	softmax(scores, best, t.o.PriorScale)
	for i, m := range moves {
		n.children = append(n.children, &plainNode{move: m, prior: int64(scores[i])})
	}
}

func (t *plainTree) score(m engine.Move) int32 {
	switch t.o.Priors {
	case PriorNet:
		var logits [1]int16
		_, _ = t.o.Model.Evaluate(t.p, []engine.Move{m}, logits[:])
		return int32(logits[0])
	case PriorGain:
		return int32(t.p.Gain(m))
	case PriorDelta:
		return int32(t.p.Gain(m) + t.p.Placement(m))
	}
	us := t.p.Turn()
	t.p.Do(m)
	defer t.p.Undo()
	if t.p.Over() {
		return int32(t.p.Outcome().For(us)) * engine.MaxStatic
	}
	return int32(viewOf(us, t.p, t.p.Evaluate()))
}

// choose applies the PUCT rule. same says that the side that moved to n moves on.
func (t *plainTree) choose(n *plainNode, same bool) (best *plainNode) {
	highest, urgency := int64(math.MinInt64), n.mean
	if !same {
		urgency = -urgency
	}
	tried := int64(0)
	for _, c := range n.children {
		if c.visits > 0 {
			tried = min(tried+c.prior, one-1)
		}
	}
	urgency -= int64(t.o.FPU*one/1000) + int64(t.o.FPUReduction)*int64(math.Sqrt(float64(tried*one)))/1000
	for _, c := range n.children {
		mean := c.mean
		if c.visits == 0 {
			mean = urgency
		}
		scale := uint64(t.o.C) * sqrtFixed(n.visits) / 1000
		sum := mean + int64(uint64(c.prior)*scale/uint64(1+c.visits)>>16)
		if sum > highest {
			best, highest = c, sum
		}
	}
	return best
}

// modelOptions cover what the model knows.
var modelOptions = []MCTSOptions{
	{Sims: 1}, {Sims: 2, C: 500}, {Sims: 300}, {Sims: 300, FPU: 250, Priors: PriorStatic}, {Sims: 300, FPU: -200, Priors: PriorDelta, Scale: 50},
	{Sims: 300, C: 5000, PriorScale: 1000}, {Sims: 300, FPU: 500}, {Sims: 300, C: 700, PriorScale: 5},
	{Sims: 300, FPUReduction: 300}, {Sims: 300, FPU: -100, FPUReduction: 1200, Priors: PriorDelta},
	{Sims: 20, Leaf: LeafQuiescence}, {Sims: 20, Leaf: LeafQuiescence, Priors: PriorDelta},
	{Sims: 300, Model: hashModel{}, Priors: PriorNet}, {Sims: 300, Model: hashModel{}, Priors: PriorNet, C: 4000},
}

// modelPositions calls f with positions of random games of every game.
func modelPositions(t *testing.T, f func(t *testing.T, p engine.Evaluator)) {
	for _, g := range []engine.Game{chess.Game(), contrast.Game(), cotulenh.Game()} {
		t.Run(g.Name, func(t *testing.T) {
			t.Parallel()
			p, src := g.New("").(engine.Evaluator), rand.NewPCG(5, 6)
			for range 12 {
				p.Reset()
				for range engine.Below(src, 90) {
					p.DoRandom(src)
				}
				if p.Outcome() == engine.Ongoing {
					f(t, p)
				}
			}
		})
	}
}

// The tree looks at the tried moves and the best untried one only, and nevertheless visits
// what the rule says.
func TestMCTSFollowsTheRule(t *testing.T) {
	modelPositions(t, func(t *testing.T, p engine.Evaluator) {
		for _, o := range modelOptions {
			children := map[engine.Move]*plainNode{}
			for _, c := range plainSearch(p, o).children {
				children[c.move] = c
			}
			for _, m := range NewMCTS(o).Search(p, nil).Moves {
				c := children[m.Move]
				if m.Visits != c.visits || !c.over && c.visits > 0 && m.Score != scoreOf(int(c.mean), o.withDefaults().Scale) {
					t.Fatalf("%+v, %s: move %s has %d visits and score %d, want %d and value %d",
						o, p, p.FormatMove(m.Move), m.Visits, m.Score, c.visits, c.mean)
				}
			}
		}
	})
}

// The weights are those of the formula, computed with package math from the model's tree.
// Values are multiples of 1/one, and sigma multiplies them by up to completedVisits+Sims.
func TestCompletedQFollowsTheFormula(t *testing.T) {
	modelPositions(t, func(t *testing.T, p engine.Evaluator) {
		for _, o := range modelOptions {
			o.Target = TargetCompletedQ
			root := plainSearch(p, o)
			static := float64((&plainTree{p: p, o: o.withDefaults()}).static()) / one
			want := completedQ(root, static)
			for _, m := range NewMCTS(o).Search(p, nil).Moves {
				if w := want[m.Move]; math.Abs(float64(m.Weight)-w) > 2+w*float64(completedVisits+o.Sims)/one {
					t.Fatalf("%+v, %s: move %s has weight %d, want %v", o, p, p.FormatMove(m.Move), m.Weight, w)
				}
			}
		}
	})
}

// Noise makes the search look elsewhere, but the target keeps the priors without it.
func TestTargetHasNoNoise(t *testing.T) {
	modelPositions(t, func(t *testing.T, p engine.Evaluator) {
		o := MCTSOptions{Sims: 50, Target: TargetCompletedQ}
		plain := NewMCTS(o)
		plain.Search(p, nil)
		o.Noise = 1000
		noisy := NewMCTS(o)
		noisy.Search(p, rand.NewPCG(1, 1))
		if !slices.Equal(plain.rootPriors, noisy.rootPriors) {
			t.Fatalf("%s: the priors of the target are %v with noise, %v without", p, noisy.rootPriors, plain.rootPriors)
		}
	})
}

// TestVisitedNodesAreExpanded: no node takes a second simulation with its value as a leaf, however many
// moves the game has. The sizes of the trees are within TreeBytes.
func TestVisitedNodesAreExpanded(t *testing.T) {
	for _, g := range []engine.Game{chess.Game(), contrast.Game(), cotulenh.Game()} {
		for _, o := range []MCTSOptions{
			{Sims: 800}, {Sims: 800, Priors: PriorStatic}, {Sims: 800, Model: hashModel{}, Priors: PriorNet}, {Sims: 60, Model: hashModel{}, Priors: PriorNet},
		} {
			p, s, src := g.New("").(engine.Evaluator), NewMCTS(o), rand.NewPCG(7, 8)
			for range 3 {
				s.Search(p, src)
				for i, n := range s.tree.nodes {
					if n.visits > 1 && n.state == evaluated {
						t.Fatalf("%s, %+v, %s: node %d has %d visits and no moves", g.Name, o, p, i, n.visits)
					}
				}
				bytes := 48*cap(s.tree.nodes) + 8*cap(s.tree.untried) + 2*cap(s.tree.logits)
				if most := o.TreeBytes(g.MostMoves); uint64(bytes) > most {
					t.Errorf("%s, %+v, %s: a tree of %d bytes, want at most %d", g.Name, o, p, bytes, most)
				}
				p.DoRandom(src)
			}
		}
	}
}

// completedQ returns the policy of a tree by the formula, relative to its largest weight.
func completedQ(root *plainNode, static float64) map[engine.Move]float64 {
	visits, most, priors, sum := 0.0, 0.0, 0.0, 0.0
	for _, c := range root.children {
		if c.visits > 0 {
			n, prior := float64(c.visits), float64(c.prior)/one
			visits, most, priors, sum = visits+n, max(most, n), priors+prior, sum+prior*float64(c.mean)/one
		}
	}
	mixed := (static + visits*sum/priors) / (1 + visits)
	logits, highest := map[engine.Move]float64{}, math.Inf(-1)
	for _, c := range root.children {
		q := mixed
		if c.visits > 0 {
			q = float64(c.mean) / one
		}
		x := math.Log(float64(c.prior)/one) + (50+most)*(q+1)/2
		logits[c.move], highest = x, max(highest, x)
	}
	for m, x := range logits {
		logits[m] = 65535 * math.Exp(x-highest)
	}
	for _, c := range root.children {
		if c.visits > 0 {
			logits[c.move] = max(logits[c.move], 1)
		}
	}
	return logits
}

// hashModel is a Model that answers by a hash of the position: its values and logits say nothing
// and use their whole ranges.
type hashModel struct{}

func (hashModel) Evaluate(p engine.Position, moves []engine.Move, logits []int16) (int16, error) {
	h := p.Hash()
	for i, m := range moves {
		logits[i] = int16(engine.Mix(h^uint64(m)) % 400)
	}
	return int16(int(engine.Mix(h)%(2*ModelOne+1)) - ModelOne), nil
}

// countingModel counts the questions of a search.
type countingModel struct {
	hashModel
	calls int
}

func (c *countingModel) Evaluate(p engine.Position, moves []engine.Move, logits []int16) (int16, error) {
	c.calls++
	return c.hashModel.Evaluate(p, moves, logits)
}

// TestModelIsAskedOnceANode: a search asks once at the first visit of every node, and never at the end of
// the game.
func TestModelIsAskedOnceANode(t *testing.T) {
	modelPositions(t, func(t *testing.T, p engine.Evaluator) {
		c := new(countingModel)
		s := NewMCTS(MCTSOptions{Sims: 250, Model: c, Priors: PriorNet, Noise: 250})
		s.Search(p, rand.NewPCG(1, 2))
		want := 0
		for _, n := range s.tree.nodes {
			if n.state != terminal {
				want++
			}
		}
		if c.calls != want {
			t.Fatalf("%s: %d questions for %d positions that are not over", p, c.calls, want)
		}
	})
}
