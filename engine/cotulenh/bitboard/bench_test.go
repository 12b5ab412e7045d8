package bitboard_test

import (
	"math/rand/v2"
	"testing"

	"selfplay/engine"
	"selfplay/engine/cotulenh"
	"selfplay/engine/cotulenh/bitboard"
	"selfplay/engine/enginetest"
)

// The benchmarks of docs/bitboards.md: both engines, operation by operation, on the same
// positions. "make verdict" runs them.

// benchEngines are the engines to compare.
var benchEngines = []struct {
	name string
	game engine.Game
}{
	{"mailbox", cotulenh.Game()},
	{"bitboard", bitboard.Game()},
}

// player is what both engines have.
type player interface {
	engine.Evaluator
	AppendCells(dst []byte) []byte
}

// samplePositions returns the texts of positions of random games, every 40th ply.
func samplePositions() (texts []string) {
	p, src := cotulenh.New(), rand.NewPCG(7, 7)
	for range 4 {
		plies := 0
		enginetest.PlayOut(p, src, enginetest.Uniform, 1000, func() {
			if plies++; plies%40 == 1 {
				texts = append(texts, p.String())
			}
		})
	}
	return texts
}

// onEach measures a query on every position, one position of the engine each.
func onEach(b *testing.B, texts []string, query func(p player)) {
	for _, e := range benchEngines {
		b.Run(e.name, func(b *testing.B) {
			var list []player
			for _, text := range texts {
				p := e.game.New("").(player)
				if err := p.Set(text); err != nil {
					b.Fatal(err)
				}
				list = append(list, p)
			}
			b.ReportAllocs()
			n := 0
			for b.Loop() {
				for _, p := range list {
					query(p)
				}
				n += len(list)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(n), "ns/position")
		})
	}
}

// BenchmarkMoves lists the legal steps.
func BenchmarkMoves(b *testing.B) {
	list := make([]engine.Move, 0, 1024)
	onEach(b, samplePositions(), func(p player) { list = p.Moves(list[:0]) })
}

// BenchmarkCaptures lists the captures.
func BenchmarkCaptures(b *testing.B) {
	list := make([]engine.Move, 0, 1024)
	onEach(b, samplePositions(), func(p player) { list = p.Captures(list[:0]) })
}

// BenchmarkEvaluate scores.
func BenchmarkEvaluate(b *testing.B) {
	onEach(b, samplePositions(), func(p player) { p.Evaluate() })
}

// BenchmarkRandomPlay plays random games from the start.
func BenchmarkRandomPlay(b *testing.B) {
	for _, e := range benchEngines {
		b.Run(e.name, func(b *testing.B) { enginetest.BenchPlay(b, e.game, enginetest.Uniform) })
	}
}

// BenchmarkPerftBulk counts the last ply by listing it.
func BenchmarkPerftBulk(b *testing.B) { benchPerft(b, engine.Perft) }

// BenchmarkPerftLeaf plays and undoes the last ply too.
func BenchmarkPerftLeaf(b *testing.B) { benchPerft(b, engine.PerftLeaf) }

func benchPerft(b *testing.B, count func(engine.Position, int) uint64) {
	for _, e := range benchEngines {
		b.Run(e.name, func(b *testing.B) { enginetest.BenchPerft(b, e.game.New(""), 3, count) })
	}
}
