package nnue_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"selfplay/engine"
	"selfplay/engine/chess"
	"selfplay/engine/contrast"
	"selfplay/engine/cotulenh"
	"selfplay/engine/nnue"
	"selfplay/engine/nnue/nnuetest"
	"selfplay/engine/search"
	"selfplay/internal/must"
)

// games returns the games with features.
func games() []engine.Game {
	return []engine.Game{chess.Game(), contrast.Game(), cotulenh.Game()}
}

// network returns a network of random weights for a game.
func network(t testing.TB, g engine.Game, hidden, buckets int, seed uint64) *nnue.Network {
	t.Helper()
	set := g.New("").(engine.Featured).FeatureSet()
	return networkOf(t, g, nnuetest.Network{Game: g.Name, Features: set, Hidden: hidden, Buckets: buckets, Seed: seed, Scale: 400})
}

func networkOf(t testing.TB, g engine.Game, d nnuetest.Network) *nnue.Network {
	t.Helper()
	f := must.Get(nnue.ReadFile(d.File()))(t)
	n := must.Get(f.Network(g.Name, d.Features))(t)
	return n
}

// BenchmarkScore measures what a search does at a leaf: a move is played, scored and taken
// back. H=0 is without a score.
func BenchmarkScore(b *testing.B) {
	for _, g := range games() {
		for _, hidden := range []int{0, 16, 32, 64, 128, 256} {
			b.Run(fmt.Sprintf("%s/H=%d", g.Name, hidden), func(b *testing.B) {
				p, score := middleGame(g), func() int { return 0 }
				if hidden > 0 {
					s := nnue.NewScorer(network(b, g, hidden, 4, 1), 0)
					s.Begin(p)
					score = s.Score
				}
				score()
				moves, i := p.Moves(nil), 0
				b.ReportAllocs()
				for b.Loop() {
					p.Do(moves[i%len(moves)])
					score()
					p.Undo()
					i++
				}
			})
		}
	}
}

// middleGame returns a position after 20 random plies.
func middleGame(g engine.Game) engine.Featured {
	p, src := g.New("").(engine.Featured), rand.NewPCG(1, 1)
	for range 20 {
		p.DoRandom(src)
	}
	return p
}

// blended computes the score of a network and returns the hand-written one, so that searches with
// and without a network visit the same tree.
type blended struct {
	*nnue.Scorer
	p engine.Evaluator
}

func (b *blended) Begin(p engine.Evaluator) { b.p = p; b.Scorer.Begin(p) }

func (b *blended) Score() int { b.Scorer.Score(); return b.p.Evaluate() }

// BenchmarkSearch measures what a network adds to a node of a search that needs both scores.
func BenchmarkSearch(b *testing.B) {
	for _, g := range games() {
		for _, hidden := range []int{0, 32, 64, 128, 256} {
			b.Run(fmt.Sprintf("%s/H=%d", g.Name, hidden), func(b *testing.B) {
				o := search.AlphaBetaOptions{Nodes: 1000, Hash: 1}
				if hidden > 0 {
					o.Scorer = &blended{Scorer: nnue.NewScorer(network(b, g, hidden, 4, 1), 0)}
				}
				s, p, src, nodes := search.NewAlphaBeta(o), middleGame(g), rand.NewPCG(1, 1), uint64(0)
				for b.Loop() {
					nodes += s.Search(p, src).Nodes
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(nodes), "ns/node")
			})
		}
	}
}

// BenchmarkLogits measures what a tree search does when it expands a node: a move is played, and
// the moves after it get their logits.
func BenchmarkLogits(b *testing.B) {
	for _, g := range policyGames() {
		for _, hidden := range []int{32, 64, 128} {
			b.Run(fmt.Sprintf("%s/H=%d", g.Name, hidden), func(b *testing.B) {
				p := middleGame(g).(engine.Policied)
				s := nnue.NewScorer(networkOf(b, g, withPolicy(g, hidden, 1)), 0)
				s.Begin(p)
				s.Score()
				moves, i, rated := p.Moves(nil), 0, 0
				var list []engine.Move
				var logits []int32
				b.ReportAllocs()
				for b.Loop() {
					p.Do(moves[i%len(moves)])
					list = p.Moves(list[:0])
					logits = s.AppendLogits(logits[:0], list)
					p.Undo()
					rated += len(list)
					i++
				}
				b.ReportMetric(float64(rated)/float64(i), "moves")
			})
		}
	}
}
