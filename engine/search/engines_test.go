package search_test

import (
	"testing"

	"selfplay/engine"
	"selfplay/engine/chess"
	"selfplay/engine/contrast"
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
		for seed := range uint64(3) {
			o := search.AlphaBetaOptions{Nodes: 200, Hash: 1}
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

// bare, passing and ordered have what a search depends on: earlier positions, null moves, a canonical order, and the order of
// captures with equal gains.
type (
	bare struct {
		engine.Evaluator
		past
	}
	passing struct {
		bare
		passer engine.Passer
	}
	ordered struct {
		bare
		orderer engine.Orderer
		lister  engine.CaptureLister
	}
	past interface {
		Plies() int
		HashAt(n int) uint64
	}
)

func (p passing) Pass() bool                   { return p.passer.Pass() }
func (p passing) TakePass()                    { p.passer.TakePass() }
func (p ordered) Canonical(m engine.Move) bool { return p.orderer.Canonical(m) }
func (p ordered) AppendCaptures(dst []engine.Move, gains []int32, least int) ([]engine.Move, []int32) {
	return p.lister.AppendCaptures(dst, gains, least)
}
func (p ordered) LegalCapture(m engine.Move) bool { return p.lister.LegalCapture(m) }

// plain returns a position without the interfaces that only save time, such as those for leaves.
func plain(p engine.Evaluator) engine.Evaluator {
	b := bare{p, p.(past)}
	switch p := p.(type) {
	case engine.Passer:
		return passing{b, p}
	case engine.Orderer:
		return ordered{b, p, p.(engine.CaptureLister)}
	}
	return b
}

// TestInterfacesThatSaveTimeDecideNothing: a search finds the same without them.
func TestInterfacesThatSaveTimeDecideNothing(t *testing.T) {
	for _, g := range []engine.Game{chess.Game(), contrast.Game(), cotulenh.Game()} {
		for _, o := range []search.AlphaBetaOptions{
			{Depth: 2, Exact: true},
			{Nodes: 500, Hash: 1},
			{Nodes: 500, Multi: 3},
		} {
			for seed := range uint64(60) {
				p := start(g)
				if !playRandom(p, 60, seed) {
					continue
				}
				a, b := search.NewAlphaBeta(o).Search(p, nil), search.NewAlphaBeta(o).Search(plain(p), nil)
				if a.Moves[0] != b.Moves[0] || a.Nodes != b.Nodes {
					t.Fatalf("%s, seed %d, %+v, %s: %+v after %d nodes, without them %+v after %d", g.Name, seed, o, p, a.Moves[0], a.Nodes, b.Moves[0], b.Nodes)
				}
			}
		}
	}
}
