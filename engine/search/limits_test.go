package search_test

import (
	"reflect"
	"testing"

	"selfplay/engine"
	"selfplay/engine/search"
)

// TestHardLimit: the hard limit holds after the first iteration, and the soft limit lets an
// iteration end.
func TestHardLimit(t *testing.T) {
	for _, g := range games() {
		p, beyond := start(g), false
		for _, nodes := range []uint64{100, 300, 1_000, 3_000, 10_000} {
			r := search.NewAlphaBeta(search.AlphaBetaOptions{Nodes: nodes, Hard: 2 * nodes, Hash: 1}).Search(p, nil)
			beyond = beyond || r.Nodes > nodes
			if r.Nodes > 2*nodes+uint64(len(r.Moves)) {
				t.Errorf("%s: %d nodes, want at most %d", g.Name, r.Nodes, 2*nodes)
			}
		}
		if !beyond {
			t.Errorf("%s: no search completed its last iteration beyond the soft limit", g.Name)
		}
	}
}

// TestPruningSavesNodes at the depth where the features begin to matter.
func TestPruningSavesNodes(t *testing.T) {
	for _, g := range games() {
		var exact, pruned uint64
		for seed := range uint64(6) {
			p := start(g)
			if !playRandom(p, 30, seed) {
				continue
			}
			exact += search.NewAlphaBeta(search.AlphaBetaOptions{Depth: 3, Exact: true}).Search(p, nil).Nodes
			pruned += search.NewAlphaBeta(search.AlphaBetaOptions{Depth: 3, Hash: 1}).Search(p, nil).Nodes
		}
		if pruned >= exact {
			t.Errorf("%s: %d nodes, the exact search visits %d", g.Name, pruned, exact)
		}
	}
}

// TestCapsSeparateFullFromCheapSearches: a full search is that of a player without caps, a cheap one
// that of a player with fewer simulations and no noise, and src draws which.
func TestCapsSeparateFullFromCheapSearches(t *testing.T) {
	const full = 300
	for _, g := range games() {
		for _, o := range []search.MCTSOptions{{Sims: 40, Noise: 250}, {Sims: 40, Root: search.RootGumbel, Gumbel: 1000}} {
			plain, few := search.NewMCTS(o), o
			few.Sims, few.Noise, few.Gumbel = 12, 0, 0
			cheap := search.NewMCTS(few)
			o.Cheap, o.Full = 12, full
			p, caps, fulls := start(g), search.NewMCTS(o), 0
			for seed := range uint64(200) {
				src := source(seed)
				drawn := engine.Below(src, 1000) < full
				reference := cheap
				if drawn {
					reference, fulls = plain, fulls+1
				}
				want := clone(reference.Search(p, src))
				want.Cheap = !drawn
				if got := clone(caps.Search(p, source(seed))); !reflect.DeepEqual(got, want) {
					t.Fatalf("%s, %+v, seed %d: %+v, want %+v", g.Name, o, seed, got, want)
				}
			}
			if fulls < 35 || fulls > 85 {
				t.Errorf("%s: %d of 200 searches are full, want about 60", g.Name, fulls)
			}
		}
	}
}

func TestSoftLimitLiesBetweenTheMeasuredOnes(t *testing.T) {
	tuning := &engine.Tuning{MeanNodes: [5]int{200, 600, 4_000, 10_000, 30_000}}
	for mean, want := range map[int]int{1: 1, 100: 50, 200: 100, 400: 200, 600: 300, 2_300: 650, 4_000: 1_000, 30_000: 10_000, 40_000: 13_500} {
		if got := search.SoftLimit(tuning, mean); got != want {
			t.Errorf("mean %d: limit %d, want %d", mean, got, want)
		}
	}
	if got := search.SoftLimit(new(engine.Tuning), 1_000); got != 0 {
		t.Errorf("limit %d of a game without costs, want 0", got)
	}
}

// TestMeanCostOfEachGame: the searches of some games cost what MeanNodes says, within a factor of 1.5.
func TestMeanCostOfEachGame(t *testing.T) {
	for _, g := range games() {
		s := search.NewAlphaBeta(search.AlphaBetaOptions{Nodes: 300, Hash: 1})
		want := start(g).Tuning().MeanNodes[1]
		if mean := meanCost(g, s); mean*3 < want*2 || mean*2 > want*3 {
			t.Errorf("%s: %d nodes in the mean, want about %d", g.Name, mean, want)
		}
	}
}

// meanCost returns the nodes of a search, in the mean of 6 games of up to 60 plies.
func meanCost(g engine.Game, s search.Searcher) int {
	nodes, searches := 0, 0
	for seed := range uint64(6) {
		for _, r := range playBest(g, s, seed, 60) {
			nodes += int(r.nodes)
			searches++
		}
	}
	return nodes / searches
}

// TestStabilityMovesTheLimit: where the best move stays, a search ends before Nodes, where it changes,
// after it; never below the least share of Nodes.
func TestStabilityMovesTheLimit(t *testing.T) {
	const nodes = 2_000
	for _, g := range games() {
		plain := search.AlphaBetaOptions{Nodes: nodes, Hash: 1, Off: search.Stability}
		moved := plain
		moved.Off = 0
		fewer, more := 0, 0
		for seed := range uint64(40) {
			p := start(g)
			if !playRandom(p, 30, seed) {
				continue
			}
			without := search.NewAlphaBeta(plain).Search(p, nil)
			with := search.NewAlphaBeta(moved).Search(p, nil)
			switch {
			case with.Nodes < without.Nodes:
				fewer++
				if with.Nodes < nodes*6/10 {
					t.Errorf("%s, %s: ends after %d nodes", g.Name, p, with.Nodes)
				}
			case with.Nodes > without.Nodes:
				more++
			}
		}
		if fewer == 0 || more == 0 {
			t.Errorf("%s: %d searches end sooner, %d later", g.Name, fewer, more)
		}
	}
}
