package search_test

import (
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"testing"

	"selfplay/engine"
	"selfplay/engine/search"
)

// What every searcher obeys.

func source(seed uint64) *rand.PCG { return rand.NewPCG(seed, 1) }

// searchers returns new ones of every kind.
func searchers() map[string]search.Searcher {
	return map[string]search.Searcher{
		"greedy":  search.NewGreedy(),
		"ab":      search.NewAlphaBeta(search.AlphaBetaOptions{Depth: 2}),
		"table":   search.NewAlphaBeta(search.AlphaBetaOptions{Depth: 3, Hash: 1, Shuffle: true}),
		"nodes":   search.NewAlphaBeta(search.AlphaBetaOptions{Nodes: 2000, Hash: 1, Multi: 4}),
		"mcts":    search.NewMCTS(search.MCTSOptions{Sims: 200, Noise: 250, Priors: search.PriorStatic}),
		"rollout": search.NewMCTS(search.MCTSOptions{Sims: 50, Rollout: 6}),
	}
}

// keep copies an answer, so that the next search does not write over it.
func keep(a search.Result) search.Result {
	a.Lines = slices.Clone(a.Lines)
	return a
}

// TestLaws: a searcher that has seen many games answers as a new one does; it
// answers the same question twice alike; all legal moves are there; and the
// position is as it was.
func TestLaws(t *testing.T) {
	for _, g := range games() {
		t.Run(g.Name, func(t *testing.T) {
			p, used := begin(t, g), searchers()
			for seed := range uint64(12) {
				if !wander(p, 200, seed) {
					continue
				}
				text, hash, moves := p.String(), p.Hash(), p.Moves(nil)
				for name, fresh := range searchers() {
					want := keep(fresh.Search(p, source(seed)))
					first := keep(used[name].Search(p, source(seed)))
					again := used[name].Search(p, source(seed))
					if !reflect.DeepEqual(first, want) || !reflect.DeepEqual(again, want) {
						t.Fatalf("%s, %s: %+v, then %+v, a new searcher %+v", name, text, first, again, want)
					}
					if p.String() != text || p.Hash() != hash || !slices.Equal(p.Moves(nil), moves) {
						t.Fatalf("%s: %s became %s", name, text, p)
					}
					if err := sane(want, moves); err != "" {
						t.Fatalf("%s, %s: %s", name, text, err)
					}
				}
			}
		})
	}
}

// sane tells what is wrong with an answer about a position with some moves.
func sane(a search.Result, moves []engine.Move) string {
	var listed []engine.Move
	for _, line := range a.Lines {
		listed = append(listed, line.Move)
		if line.Exact && (line.Score > search.MateScore || line.Score < -search.MateScore) {
			return "a score is out of bounds"
		}
	}
	slices.Sort(listed)
	moves = slices.Clone(moves)
	slices.Sort(moves)
	switch {
	case !slices.Equal(listed, moves):
		return "the lines are not the legal moves"
	case a.Score != a.Lines[0].Score || !a.Lines[0].Exact:
		return "the first line is not the score"
	case a.Nodes < uint64(min(len(moves), 50)) || a.Depth < 1:
		return "too little was looked at"
	}
	return ""
}

// TestNodes: a limit of nodes is kept once the first iteration is done, and a
// larger one never finds less.
func TestNodes(t *testing.T) {
	for _, g := range games() {
		p := begin(t, g)
		depth := 0
		for _, nodes := range []uint64{1, 100, 1_000, 10_000, 50_000} {
			a := search.NewAlphaBeta(search.AlphaBetaOptions{Nodes: nodes, Hash: 1}).Search(p, nil)
			if a.Depth > 1 && a.Nodes > nodes || a.Depth < max(depth, 1) {
				t.Errorf("%s, %d nodes: %d nodes to depth %d, before to %d", g.Name, nodes, a.Nodes, a.Depth, depth)
			}
			depth = a.Depth
			whole := search.NewAlphaBeta(search.AlphaBetaOptions{Depth: a.Depth, Hash: 1}).Search(p, nil)
			if !reflect.DeepEqual(whole.Lines, a.Lines) {
				t.Errorf("%s, %d nodes: the lines are not those of depth %d", g.Name, nodes, a.Depth)
			}
		}
		if depth < 2 {
			t.Errorf("%s: 50,000 nodes reach only depth %d", g.Name, depth)
		}
	}
}

// TestGreedy: the best of one ply, all moves scored, and chance among equals.
func TestGreedy(t *testing.T) {
	for _, g := range games() {
		p, s := begin(t, g), search.NewGreedy()
		firsts := map[engine.Move]bool{}
		for seed := range uint64(64) {
			a := s.Search(p, source(seed))
			firsts[a.Lines[0].Move] = true
			for i, line := range a.Lines {
				if i > 0 && line.Score > a.Lines[i-1].Score {
					t.Fatalf("%s: line %d is better than the one before", g.Name, i)
				}
			}
		}
		a, equal := s.Search(p, source(0)), 0
		for _, line := range a.Lines {
			if line.Score == a.Score {
				equal++
			}
		}
		if len(firsts) > equal || equal < 6 && len(firsts) < equal {
			t.Errorf("%s: %d moves came first, %d are best", g.Name, len(firsts), equal)
		}
	}
}

// TestNoAllocation: a searcher that has found its size allocates nothing.
func TestNoAllocation(t *testing.T) {
	for _, g := range games() {
		p, src := begin(t, g), source(1)
		for name, s := range searchers() {
			search := func() {
				src.Seed(1, 1)
				s.Search(p, src)
			}
			runtime.GC() // or its own allocations might be counted
			if n := testing.AllocsPerRun(8, search); n > 0 {
				t.Errorf("%s, %s: %v allocations a search", g.Name, name, n)
			}
		}
	}
}

// TestOptions: options out of range are told and refused.
func TestOptions(t *testing.T) {
	for _, o := range []search.AlphaBetaOptions{
		{}, {Depth: -1}, {Depth: search.MaxDepth + 1}, {Depth: 1, Hash: -1}, {Depth: 1, Hash: search.MaxHash + 1}, {Depth: 1, Multi: -1},
	} {
		if o.Validate() == nil || !panics(func() { search.NewAlphaBeta(o) }) {
			t.Errorf("%+v is accepted", o)
		}
	}
	for _, o := range []search.MCTSOptions{
		{}, {Sims: -1}, {Sims: search.MaxSims + 1}, {Sims: 1, Nodes: -1}, {Sims: 1, C: -1}, {Sims: 1, Scale: -1},
		{Sims: 1, Priors: 2}, {Sims: 1, PriorScale: -1}, {Sims: 1, Noise: 1001}, {Sims: 1, Concentration: -1}, {Sims: 1, Rollout: -1},
	} {
		if o.Validate() == nil || !panics(func() { search.NewMCTS(o) }) {
			t.Errorf("%+v is accepted", o)
		}
	}
}

func panics(f func()) (yes bool) {
	defer func() { yes = recover() != nil }()
	f()
	return false
}
