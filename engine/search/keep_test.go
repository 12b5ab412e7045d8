package search_test

import (
	"slices"
	"testing"

	"selfplay/engine"
	"selfplay/engine/search"
)

// result is what a search of a game returns.
type result struct {
	move  engine.Move
	score int
	nodes uint64
}

// playBest plays the best moves of a searcher from a position that the seed draws.
func playBest(g engine.Game, s search.Searcher, seed uint64, plies int) (results []result) {
	p := start(g)
	if !playRandom(p, 20, seed) {
		return nil
	}
	for range plies {
		r := s.Search(p, nil)
		if len(r.Moves) == 0 {
			break
		}
		results = append(results, result{r.Moves[0].Move, r.Score, r.Nodes})
		p.Do(r.Moves[0].Move)
	}
	return results
}

// TestAGameThatKeepsItsTableDependsOnItAlone: a searcher that has played other games finds the same as a
// new one, with small tables too, in which games displace each other's entries.
func TestAGameThatKeepsItsTableDependsOnItAlone(t *testing.T) {
	for _, g := range games() {
		o := search.AlphaBetaOptions{Nodes: 300, Hash: 1, Keep: true}
		used := search.NewAlphaBeta(o)
		for seed := range uint64(4) {
			used.NewGame()
			got := playBest(g, used, seed, 12)
			fresh := search.NewAlphaBeta(o)
			fresh.NewGame()
			if want := playBest(g, fresh, seed, 12); !slices.Equal(got, want) {
				t.Errorf("%s, game %d: %v in a used searcher, %v in a new one", g.Name, seed, got, want)
			}
		}
	}
}

// TestKeepSavesNodes: without NewGame every search begins with an empty table; with it most of them need
// fewer nodes to the same depth.
func TestKeepSavesNodes(t *testing.T) {
	for _, g := range games() {
		plain := search.AlphaBetaOptions{Depth: 3, Hash: 1}
		keep := plain
		keep.Keep = true
		var kept, forgot uint64
		for seed := range uint64(3) {
			want := playBest(g, search.NewAlphaBeta(plain), seed, 8)
			if got := playBest(g, search.NewAlphaBeta(keep), seed, 8); !slices.Equal(got, want) {
				t.Errorf("%s, game %d: %v without NewGame, %v without keep", g.Name, seed, got, want)
			}
			s := search.NewAlphaBeta(keep)
			s.NewGame()
			for _, r := range playBest(g, s, seed, 8) {
				kept += r.nodes
			}
			for _, r := range want {
				forgot += r.nodes
			}
		}
		if kept >= forgot {
			t.Errorf("%s: %d nodes with what earlier searches left, %d without", g.Name, kept, forgot)
		}
	}
}
