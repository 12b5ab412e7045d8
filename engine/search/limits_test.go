package search_test

import (
	"testing"

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
