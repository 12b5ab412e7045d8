package search_test

import (
	"testing"

	"selfplay/engine/search"
)

// selectiveFeatures are the features that change scores.
const selectiveFeatures = search.ReverseFutility | search.Razoring | search.NullMove | search.Futility |
	search.LateMovePruning | search.GainPruning | search.LateMoveReductions | search.InternalReduction |
	search.CheckExtension | search.Delta | search.CanonicalOrder | search.HangingPruning | search.Continuation

// Without its features and without a table, the selective search is the sound one in games
// whose turns have one move.
func TestSelectiveSearchWithoutFeaturesIsSound(t *testing.T) {
	for _, g := range games() {
		if g.Name == "cotulenh" {
			continue
		}
		for depth := 1; depth <= 3; depth++ {
			sound := search.NewAlphaBeta(search.AlphaBetaOptions{Depth: depth})
			bare := search.NewAlphaBeta(search.AlphaBetaOptions{Depth: depth, Selective: true, Off: selectiveFeatures})
			for seed := range uint64(20) {
				p := start(g)
				if !playRandom(p, 60, seed) {
					continue
				}
				want, got := sound.Search(p, nil).Score, bare.Search(p, nil).Score
				if got != want {
					t.Errorf("%s, depth %d, %s: score %d, want %d", g.Name, depth, p, got, want)
				}
			}
		}
	}
}

// TestHardLimit: the hard limit holds after the first iteration, and the soft limit lets an
// iteration end.
func TestHardLimit(t *testing.T) {
	for _, g := range games() {
		p, beyond := start(g), false
		for _, nodes := range []uint64{100, 300, 1_000, 3_000, 10_000} {
			r := search.NewAlphaBeta(search.AlphaBetaOptions{Nodes: nodes, Hard: 2 * nodes, Hash: 1, Selective: true}).Search(p, nil)
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

// TestSelectiveSearchVisitsFewerNodes at the depth where the features begin to matter.
func TestSelectiveSearchVisitsFewerNodes(t *testing.T) {
	for _, g := range games() {
		var sound, selective uint64
		for seed := range uint64(6) {
			p := start(g)
			if !playRandom(p, 30, seed) {
				continue
			}
			sound += search.NewAlphaBeta(search.AlphaBetaOptions{Depth: 3, Hash: 1}).Search(p, nil).Nodes
			selective += search.NewAlphaBeta(search.AlphaBetaOptions{Depth: 3, Hash: 1, Selective: true}).Search(p, nil).Nodes
		}
		if selective >= sound {
			t.Errorf("%s: %d nodes, the sound search visits %d", g.Name, selective, sound)
		}
	}
}
