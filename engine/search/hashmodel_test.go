package search

import (
	"math/rand/v2"
	"testing"

	"selfplay/engine"
)

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
