package search_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"testing"

	"selfplay/engine"
	"selfplay/engine/search"
)

// Properties of every Searcher.

func source(seed uint64) *rand.PCG { return rand.NewPCG(seed, 1) }

// searchers returns new searchers of every type.
func searchers() map[string]search.Searcher {
	return map[string]search.Searcher{
		"greedy":         search.NewGreedy(nil),
		"ab":             search.NewAlphaBeta(search.AlphaBetaOptions{Depth: 3}),
		"ab shallow":     search.NewAlphaBeta(search.AlphaBetaOptions{Depth: 1}),
		"ab with table":  search.NewAlphaBeta(search.AlphaBetaOptions{Depth: 3, Hash: 1, Shuffle: true}),
		"ab by nodes":    search.NewAlphaBeta(search.AlphaBetaOptions{Nodes: 1000, Hash: 1}),
		"ab hard":        search.NewAlphaBeta(search.AlphaBetaOptions{Nodes: 1000, Hard: 3000, Hash: 1, Multi: 4}),
		"exact":          search.NewAlphaBeta(search.AlphaBetaOptions{Depth: 2, Exact: true}),
		"exact by nodes": search.NewAlphaBeta(search.AlphaBetaOptions{Nodes: 2000, Multi: 4, Exact: true}),
		"mcts":           search.NewMCTS(search.MCTSOptions{Sims: 200, Noise: 250, Priors: search.PriorStatic}),
		"mcts by delta":  search.NewMCTS(search.MCTSOptions{Sims: 200, Priors: search.PriorDelta, Leaf: search.LeafQuiescence, Target: search.TargetCompletedQ}),
		"mcts by model":  search.NewMCTS(search.MCTSOptions{Sims: 200, Model: new(asked), Priors: search.PriorNet}),
		"mcts by caps":   search.NewMCTS(search.MCTSOptions{Sims: 100, Cheap: 60, Full: 500, Noise: 250}),
		"mcts by gumbel": search.NewMCTS(search.MCTSOptions{Sims: 100, Root: search.RootGumbel, Gumbel: 1000, Target: search.TargetCompletedQ}),
		"model":          search.NewModelGreedy(new(asked), 300),
		"mcts rollout":   search.NewMCTS(search.MCTSOptions{Sims: 50, Rollout: 6}),
	}
}

// clone copies a result, because the next search overwrites it.
func clone(r search.Result) search.Result {
	r.Moves = slices.Clone(r.Moves)
	return r
}

func TestResultDoesNotDependOnEarlierSearches(t *testing.T) {
	for _, g := range games() {
		t.Run(g.Name, func(t *testing.T) {
			p, used := start(g), searchers()
			for seed := range uint64(12) {
				if !playRandom(p, 200, seed) {
					continue
				}
				text, hash, moves := p.String(), p.Hash(), p.Moves(nil)
				for name, fresh := range searchers() {
					want := clone(fresh.Search(p, source(seed)))
					first := clone(used[name].Search(p, source(seed)))
					second := used[name].Search(p, source(seed))
					if !reflect.DeepEqual(first, want) || !reflect.DeepEqual(second, want) {
						t.Fatalf("%s, %s: used searcher %+v, then %+v, new searcher %+v", name, text, first, second, want)
					}
					if p.String() != text || p.Hash() != hash || !slices.Equal(p.Moves(nil), moves) {
						t.Fatalf("%s: the search changed %s to %s", name, text, p)
					}
					if err := checkResult(want, moves); err != nil {
						t.Fatalf("%s, %s: %v", name, text, err)
					}
				}
			}
		})
	}
}

// checkResult checks a result against the legal moves of its position.
func checkResult(r search.Result, moves []engine.Move) error {
	var listed []engine.Move
	for _, m := range r.Moves {
		listed = append(listed, m.Move)
		if m.Exact && (m.Score > search.MateScore || m.Score < -search.MateScore) {
			return fmt.Errorf("score %d is out of bounds", m.Score)
		}
	}
	slices.Sort(listed)
	moves = slices.Clone(moves)
	slices.Sort(moves)
	switch {
	case !slices.Equal(listed, moves):
		return errors.New("the root moves are not the legal moves")
	case r.Score != r.Moves[0].Score || !r.Moves[0].Exact:
		return errors.New("the score is not the exact score of the first move")
	case r.Nodes < uint64(min(len(moves), 50)) || r.Depth < 1:
		return fmt.Errorf("only %d nodes to depth %d", r.Nodes, r.Depth)
	}
	return nil
}

func TestSearchDoesNotAllocate(t *testing.T) {
	for _, g := range games() {
		p, src := start(g), source(1)
		for name, s := range searchers() {
			search := func() {
				src.Seed(1, 1)
				s.Search(p, src)
			}
			runtime.GC() // a collection during the measurement could allocate
			if n := testing.AllocsPerRun(8, search); n > 0 {
				t.Errorf("%s, %s: %v allocations per search", g.Name, name, n)
			}
		}
	}
}

// After the first iteration the limit of an exact search holds, and a larger limit reaches at least the
// same depth.
func TestNodeLimit(t *testing.T) {
	for _, g := range games() {
		p := start(g)
		depth := 0
		for _, nodes := range []uint64{1, 100, 1_000, 10_000, 50_000} {
			r := search.NewAlphaBeta(search.AlphaBetaOptions{Nodes: nodes, Exact: true}).Search(p, nil)
			if r.Depth > 1 && r.Nodes > nodes || r.Depth < max(depth, 1) {
				t.Errorf("%s, limit %d: %d nodes to depth %d, the smaller limit reached depth %d", g.Name, nodes, r.Nodes, r.Depth, depth)
			}
			depth = r.Depth
			byDepth := search.NewAlphaBeta(search.AlphaBetaOptions{Depth: r.Depth, Exact: true}).Search(p, nil)
			if !reflect.DeepEqual(byDepth.Moves, r.Moves) {
				t.Errorf("%s, limit %d: the root moves are not those of depth %d", g.Name, nodes, r.Depth)
			}
		}
		if depth < 2 {
			t.Errorf("%s: 50,000 nodes reach only depth %d", g.Name, depth)
		}
	}
}

// Moves are in order of score, and over many seeds every best move comes first.
func TestGreedyDrawsAmongBestMoves(t *testing.T) {
	for _, g := range games() {
		p, s := start(g), search.NewGreedy(nil)
		firsts := map[engine.Move]bool{}
		for seed := range uint64(64) {
			r := s.Search(p, source(seed))
			firsts[r.Moves[0].Move] = true
			for i, m := range r.Moves {
				if i > 0 && m.Score > r.Moves[i-1].Score {
					t.Fatalf("%s: root move %d is better than the move before it", g.Name, i)
				}
			}
		}
		r, equal := s.Search(p, source(0)), 0
		for _, m := range r.Moves {
			if m.Score == r.Score {
				equal++
			}
		}
		if len(firsts) > equal || equal < 6 && len(firsts) < equal {
			t.Errorf("%s: %d different moves came first, %d are best", g.Name, len(firsts), equal)
		}
	}
}

func TestInvalidOptionsAreRefused(t *testing.T) {
	for _, o := range []search.AlphaBetaOptions{
		{}, {Depth: -1}, {Depth: search.MaxDepth + 1}, {Depth: 1, Hash: -1}, {Depth: 1, Hash: search.MaxHash + 1}, {Depth: 1, Multi: -1},
		{Nodes: 5, Hard: 9, Exact: true}, {Nodes: 5, Hash: 1, Exact: true}, {Nodes: 5, Hard: 4}, {Nodes: 5, Keep: true},
	} {
		if o.Validate() == nil || !panics(func() { search.NewAlphaBeta(o) }) {
			t.Errorf("%+v is accepted", o)
		}
	}
	for _, o := range []search.MCTSOptions{
		{}, {Sims: -1}, {Sims: search.MaxSims + 1}, {Sims: 1, C: -1}, {Sims: 1, Scale: -1},
		{Sims: 1, Priors: 3}, {Sims: 1, Priors: 4}, {Sims: 1, FPU: -2001}, {Sims: 1, FPU: 2001}, {Sims: 1, FPUReduction: -1}, {Sims: 1, Root: 2}, {Sims: 1, Cheap: -1}, {Sims: 9, Cheap: 9}, {Sims: 9, Cheap: 3, Full: 1001}, {Sims: 1, Considered: -1}, {Sims: 1, Gumbel: -1}, {Sims: 1, Root: search.RootGumbel, Noise: 1}, {Sims: 1, Target: 2}, {Sims: 1, Leaf: 2}, {Sims: 1, PriorScale: -1}, {Sims: 1, Noise: 1001}, {Sims: 1, Concentration: -1}, {Sims: 1, Rollout: -1},
		{Sims: 1, Model: new(asked)}, {Sims: 1, Model: new(asked), Priors: search.PriorNet, Scorer: new(gaining)},
		{Sims: 1, Model: new(asked), Priors: search.PriorNet, Leaf: search.LeafQuiescence}, {Sims: 1, Model: new(asked), Priors: search.PriorNet, Rollout: 1},
	} {
		if o.Validate() == nil || !panics(func() { search.NewMCTS(o) }) {
			t.Errorf("%+v is accepted", o)
		}
	}
}

func panics(f func()) (panicked bool) {
	defer func() { panicked = recover() != nil }()
	f()
	return false
}
