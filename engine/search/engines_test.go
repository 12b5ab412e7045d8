package search_test

import (
	"testing"

	"selfplay/engine"
	"selfplay/engine/cotulenh"
	"selfplay/engine/cotulenh/bitboard"
	"selfplay/engine/search"
)

// TestEnginesSearchAlike plays endgames in which positions come back, where only one of the engines scores
// leaves without playing the move.
func TestEnginesSearchAlike(t *testing.T) {
	for _, text := range []string{
		"6c4/11/5t5/11/3i7/11/11/6T4/11/4I6/11/3C7 r - - 0 1",
		"5c5/4(fi)6/11/11/8t2/11/11/2T8/11/5(FT)5/11/4C6 r - - 0 1",
		"4c6/11/6m4/4i6/11/7a3/3A7/11/5I5/4M6/11/6C4 r - - 0 1",
	} {
		for seed := range uint64(6) {
			o := search.AlphaBetaOptions{Nodes: 200, Hash: 1, Selective: true, SecondGeneration: true}
			compareGame(t, [2]engine.Evaluator{parsePosition(t, cotulenh.Game(), text), parsePosition(t, bitboard.Game(), text)}, o, seed)
		}
	}
}

// compareGame plays a game that begins with four random plies, and compares the searches of all others.
func compareGame(t *testing.T, ps [2]engine.Evaluator, o search.AlphaBetaOptions, seed uint64) {
	t.Helper()
	for ply := range 120 {
		if ps[0].Outcome() != engine.Ongoing {
			return
		}
		if ply < 4 {
			ps[0].DoRandom(source(seed + uint64(ply)<<8))
			ps[1].DoRandom(source(seed + uint64(ply)<<8))
			continue
		}
		a, b := search.NewAlphaBeta(o).Search(ps[0], nil), search.NewAlphaBeta(o).Search(ps[1], nil)
		if a.Moves[0] != b.Moves[0] || a.Nodes != b.Nodes {
			t.Fatalf("%s, ply %d, seed %d: %+v after %d nodes, on the other engine %+v after %d", ps[0], ply, seed, a.Moves[0], a.Nodes, b.Moves[0], b.Nodes)
		}
		ps[0].Do(a.Moves[0].Move)
		ps[1].Do(a.Moves[0].Move)
	}
}
