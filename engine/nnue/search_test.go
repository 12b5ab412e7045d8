package nnue_test

import (
	"math/rand/v2"
	"testing"

	"selfplay/engine"
	"selfplay/engine/nnue"
	"selfplay/engine/search"
)

// compared is a scorer of a search that compares each score with that of a scorer which
// begins at the position.
type compared struct {
	t      *testing.T
	p      engine.Evaluator
	scorer *nnue.Scorer
	fresh  *nnue.Scorer
	scores int
	leaves int // scores of moves that were not played
}

func (c *compared) Begin(p engine.Evaluator) { c.p = p; c.scorer.Begin(p) }

func (c *compared) Score() int {
	c.scores++
	c.fresh.Begin(c.p)
	got, want := c.scorer.Score(), c.fresh.Score()
	if got != want {
		c.t.Fatalf("%s: score %d in the search, %d from the board", c.p, got, want)
	}
	return got
}

// ScoreAfter compares each score of a leaf with that of the position after the move.
func (c *compared) ScoreAfter(m engine.Move) (score int, ok bool) {
	if score, ok = c.scorer.ScoreAfter(m); !ok {
		return 0, false
	}
	c.leaves++
	c.p.Do(m)
	c.fresh.Begin(c.p)
	want := c.fresh.Score()
	c.p.Undo()
	if score != want {
		c.t.Fatalf("%s, move %s: score %d without playing it, %d from the board", c.p, c.p.FormatMove(m), score, want)
	}
	return score, true
}

// TestScoresInSearches: the scores of a search are those from the board: after null moves,
// in deployment sessions, below reductions, at the end of rollouts.
func TestScoresInSearches(t *testing.T) {
	for _, g := range games() {
		t.Run(g.Name, func(t *testing.T) {
			t.Parallel()
			net := network(t, g, 32, 4, 1)
			c := &compared{t: t, scorer: nnue.NewScorer(net, 30), fresh: nnue.NewScorer(net, 30)}
			searchers := []search.Searcher{
				search.NewAlphaBeta(search.AlphaBetaOptions{Nodes: 2000, Hash: 1, Scorer: c}),
				search.NewAlphaBeta(search.AlphaBetaOptions{Depth: 2, Exact: true, Scorer: c}),
				search.NewMCTS(search.MCTSOptions{Sims: 200, Leaf: search.LeafQuiescence, Scorer: c}),
				search.NewMCTS(search.MCTSOptions{Sims: 20, Rollout: 300, Scorer: c}),
				search.NewGreedy(c),
			}
			p, src := g.New("").(engine.Evaluator), rand.NewPCG(1, 1)
			for i := 0; c.scores < plies(100_000); i++ {
				r := searchers[i%len(searchers)].Search(p, src)
				if len(r.Moves) == 0 || p.Outcome() != engine.Ongoing {
					p.Reset()
					continue
				}
				p.Do(r.Moves[0].Move)
				for range i % 4 {
					p.DoRandom(src)
				}
			}
			if _, ok := p.(engine.LeafFeatured); ok && c.leaves < c.scores/10 {
				t.Errorf("%d scores of leaves beside %d others", c.leaves, c.scores)
			}
		})
	}
}
