package search_test

import (
	"reflect"
	"testing"

	"selfplay/engine"
	"selfplay/engine/search"
)

// evaluating is a Scorer that returns Evaluate of the position that it began with.
type evaluating struct {
	p      engine.Evaluator
	begins int
}

func (e *evaluating) Begin(p engine.Evaluator) { e.p, e.begins = p, e.begins+1 }

func (e *evaluating) Score() int { return e.p.Evaluate() }

// TestScorersReplaceEvaluate: with a scorer that returns Evaluate, every searcher finds the
// same, and with one that negates it, something else.
func TestScorersReplaceEvaluate(t *testing.T) {
	for _, g := range games() {
		t.Run(g.Name, func(t *testing.T) {
			for name, newSearcher := range map[string]func(search.Scorer) search.Searcher{
				"greedy": func(s search.Scorer) search.Searcher { return search.NewGreedy(s) },
				"exact": func(s search.Scorer) search.Searcher {
					return search.NewAlphaBeta(search.AlphaBetaOptions{Depth: 2, Exact: true, Scorer: s})
				},
				"ab": func(s search.Scorer) search.Searcher {
					return search.NewAlphaBeta(search.AlphaBetaOptions{Nodes: 500, Hash: 1, Scorer: s})
				},
				"mcts": func(s search.Scorer) search.Searcher {
					return search.NewMCTS(search.MCTSOptions{Sims: 100, Rollout: 2, Priors: search.PriorStatic, Scorer: s})
				},
				"mcts with quiescence": func(s search.Scorer) search.Searcher {
					return search.NewMCTS(search.MCTSOptions{Sims: 100, Leaf: search.LeafQuiescence, Scorer: s})
				},
			} {
				same, other := new(evaluating), new(negating)
				p, plain, scored, negated := start(g), newSearcher(nil), newSearcher(same), newSearcher(other)
				differ := false
				for seed := range uint64(8) {
					if !playRandom(p, 60, seed) {
						continue
					}
					want := clone(plain.Search(p, source(seed)))
					if got := scored.Search(p, source(seed)); !reflect.DeepEqual(clone(got), want) {
						t.Fatalf("%s: %s: %+v with a scorer, %+v without", name, p, got, want)
					}
					differ = differ || !reflect.DeepEqual(clone(negated.Search(p, source(seed))), want)
				}
				if same.begins == 0 || !differ {
					t.Errorf("%s: %d searches with the scorer; negated scores make a difference: %t", name, same.begins, differ)
				}
			}
		})
	}
}

type negating struct{ evaluating }

func (e *negating) Score() int { return -e.p.Evaluate() }
