package search_test

import (
	"testing"

	"selfplay/engine/search"
)

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
