package search_test

import (
	"flag"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"strings"
	"testing"

	"selfplay/engine"
	"selfplay/engine/enginetest"
	"selfplay/engine/nnue"
	"selfplay/engine/nnue/nets"
	"selfplay/engine/search"
	"selfplay/internal/must"
)

var checksums = flag.Int("checksums", 0, "compare the results of searches of `N` positions per game with the frozen ones; there are those of 10000")

// shortChecksums is the number of positions per game of every test run.
const shortChecksums = 200

// searchKinds are the kinds of searches whose results are frozen: each has other paths through the
// search.
var searchKinds = []struct {
	name string
	new  func(search.Scorer) search.Searcher
}{
	{"greedy", func(s search.Scorer) search.Searcher { return search.NewGreedy(s) }},
	{"depth=1", alphaBetaKind(search.AlphaBetaOptions{Depth: 1})},
	{"depth=2", alphaBetaKind(search.AlphaBetaOptions{Depth: 2})},
	{"depth=2,hash=1,multi=3", alphaBetaKind(search.AlphaBetaOptions{Depth: 2, Hash: 1, Multi: 3})},
	{"nodes=200,hard=300,hash=1", alphaBetaKind(search.AlphaBetaOptions{Nodes: 200, Hard: 300, Hash: 1})},
	{"nodes=1000,hash=1", alphaBetaKind(search.AlphaBetaOptions{Nodes: 1000, Hash: 1})},
	{"nodes=1000", alphaBetaKind(search.AlphaBetaOptions{Nodes: 1000})},
	{"depth=1,exact=true", alphaBetaKind(search.AlphaBetaOptions{Depth: 1, Exact: true})},
	{"nodes=500,exact=true,shuffled", alphaBetaKind(search.AlphaBetaOptions{Nodes: 500, Exact: true, Shuffle: true})},
	{"sims=30", func(s search.Scorer) search.Searcher {
		return search.NewMCTS(search.MCTSOptions{Sims: 30, Leaf: search.LeafQuiescence, Scorer: s})
	}},
}

func alphaBetaKind(o search.AlphaBetaOptions) func(search.Scorer) search.Searcher {
	return func(s search.Scorer) search.Searcher {
		o := o
		o.Scorer = s
		return search.NewAlphaBeta(o)
	}
}

// TestFrozenChecksums: searches return the same moves, scores and numbers of nodes as when the
// checksums were made. They go into datasets.
func TestFrozenChecksums(t *testing.T) {
	n := shortChecksums
	if *checksums > 0 {
		n = *checksums
	}
	for _, g := range games() {
		t.Run(g.Name, func(t *testing.T) {
			t.Parallel()
			path := fmt.Sprintf("testdata/checksums-%s-%d.txt", g.Name, n)
			enginetest.Golden(t, path, checksumsOf(t, g, n), "If searches were meant to change, raise the version of every player that searches")
		})
	}
}

// checksumsOf returns a line per kind of search, with and without the network of the game.
func checksumsOf(t *testing.T, g engine.Game, n int) string {
	var text strings.Builder
	for _, scorer := range []search.Scorer{nil, shippedScorer(t, g)} {
		for _, kind := range searchKinds {
			name := kind.name
			if scorer != nil {
				name += ",net"
			}
			nodes, sum := checksum(g, kind.new(scorer), n)
			fmt.Fprintf(&text, "%s %d nodes %016x\n", name, nodes, sum)
		}
	}
	return text.String()
}

func shippedScorer(t testing.TB, g engine.Game) search.Scorer {
	data, ok := nets.File(g.Name)
	if !ok {
		t.Fatalf("%s has no network", g.Name)
	}
	net := must.Get(must.Get(nnue.ReadFile(data))(t).Network(g.Name, start(g).(engine.Featured).FeatureSet()))(t)
	return nnue.NewScorer(net, 0)
}

// checksum searches n positions of games in which one move in four is random and the others are
// the best ones. It sums up all that the searches return.
func checksum(g engine.Game, s search.Searcher, n int) (nodes, sum uint64) {
	p, src, game, h := start(g), source(0), uint64(0), fnv.New64a()
	for again := true; n > 0; n-- {
		if again || p.Outcome() != engine.Ongoing {
			game++
			src.Seed(game, 1)
			playOpening(p, src)
		}
		r := s.Search(p, src)
		nodes += r.Nodes
		fmt.Fprintln(h, r.Nodes, r.Depth, r.Score, r.Moves)
		p.Do(moveOf(r, src))
		again = engine.Below(src, 100) == 0
	}
	return nodes, h.Sum64()
}

// moveOf returns the best move, or one time in four any move.
func moveOf(r search.Result, src *rand.PCG) engine.Move {
	if engine.Below(src, 4) == 0 {
		return r.Moves[engine.Below(src, uint32(len(r.Moves)))].Move
	}
	return r.Moves[0].Move
}
