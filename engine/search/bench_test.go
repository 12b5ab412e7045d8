package search_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"selfplay/engine"
	"selfplay/engine/search"
)

// benchmark searches every position of whole games, as a generator does: eight random
// plies, then the best move at each ply.
func benchmark(b *testing.B, p engine.Evaluator, plies int, s search.Searcher) {
	src, nodes, left := source(0), uint64(0), 0
	b.ReportAllocs()
	for game := uint64(0); b.Loop(); {
		if left == 0 || p.Outcome() != engine.Ongoing {
			game++
			src.Seed(game, 0)
			playOpening(p, src)
			left = plies
		}
		r := s.Search(p, src)
		nodes += r.Nodes
		p.Do(r.Moves[0].Move)
		left--
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "searches/s")
	b.ReportMetric(float64(nodes)/b.Elapsed().Seconds(), "nodes/s")
	b.ReportMetric(float64(nodes)/float64(b.N), "nodes/search")
}

// playOpening plays eight random plies, again if they end the game.
func playOpening(p engine.Evaluator, src *rand.PCG) {
	for again := true; again; again = p.Outcome() != engine.Ongoing {
		p.Reset()
		for range 8 {
			p.DoRandom(src)
		}
	}
}

func BenchmarkAlphaBeta(b *testing.B) {
	for _, g := range games() {
		for depth := 1; depth <= 3; depth++ {
			for _, exact := range []bool{false, true} {
				b.Run(fmt.Sprintf("%s/depth %d/exact %t", g.Name, depth, exact), func(b *testing.B) {
					benchmark(b, start(g), g.MaxPlies, search.NewAlphaBeta(search.AlphaBetaOptions{Depth: depth, Exact: exact}))
				})
			}
		}
	}
}

func BenchmarkGreedy(b *testing.B) {
	for _, g := range games() {
		b.Run(g.Name, func(b *testing.B) { benchmark(b, start(g), g.MaxPlies, search.NewGreedy(nil)) })
	}
}

func BenchmarkMCTS(b *testing.B) {
	const sims = 800
	for _, g := range games() {
		for name, priors := range map[string]search.Priors{"gain": search.PriorGain, "static": search.PriorStatic, "delta": search.PriorDelta} {
			b.Run(g.Name+"/"+name, func(b *testing.B) {
				benchmark(b, start(g), g.MaxPlies, search.NewMCTS(search.MCTSOptions{Sims: sims, Priors: priors}))
				b.ReportMetric(sims*float64(b.N)/b.Elapsed().Seconds(), "sims/s")
			})
		}
	}
}

// BenchmarkNodes measures the searches that most datasets use, without and with the network of the
// game.
func BenchmarkNodes(b *testing.B) {
	for _, g := range games() {
		for name, scorer := range map[string]search.Scorer{"hand": nil, "net": shippedScorer(b, g)} {
			b.Run(g.Name+"/"+name, func(b *testing.B) {
				benchmark(b, start(g), g.MaxPlies, search.NewAlphaBeta(search.AlphaBetaOptions{Nodes: 1000, Hash: 1, Scorer: scorer}))
			})
		}
	}
}
