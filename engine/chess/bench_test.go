package chess_test

import (
	"math/rand/v2"
	"testing"

	"selfplay/engine"
	"selfplay/engine/chess"
	"selfplay/engine/enginetest"
	"selfplay/internal/must"
)

const kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"

func BenchmarkRandomPlay(b *testing.B) { enginetest.BenchPlay(b, chess.Game(), enginetest.Uniform) }

// benchPositions measures query on every position of random games.
func benchPositions(b *testing.B, query func(p *chess.Position)) {
	enginetest.BenchPositions(b, chess.Game(), enginetest.Uniform, query)
}

// BenchmarkMoves lists the legal moves of each position.
func BenchmarkMoves(b *testing.B) {
	list := make([]engine.Move, 0, 256)
	benchPositions(b, func(p *chess.Position) { list = p.Moves(list[:0]) })
}

func BenchmarkCount(b *testing.B) {
	benchPositions(b, func(p *chess.Position) { p.Count() })
}

func BenchmarkAppendCells(b *testing.B) {
	cells := make([]byte, 0, 64)
	benchPositions(b, func(p *chess.Position) { cells = p.AppendCells(cells[:0]) })
}

func BenchmarkRepetitions(b *testing.B) {
	benchPositions(b, func(p *chess.Position) { p.Repetitions() })
}

func BenchmarkOutcome(b *testing.B) {
	benchPositions(b, func(p *chess.Position) { p.Outcome() })
}

// BenchmarkPack replays a game from its steps.
func BenchmarkPack(b *testing.B) {
	p, src := chess.New(), rand.NewPCG(1, 0)
	var steps []chess.Step
	for m, ok := p.DoRandom(src); ok; m, ok = p.DoRandom(src) {
		steps = append(steps, chess.Unpack(m))
	}
	packed := 0
	b.ReportAllocs()
	for b.Loop() {
		p.Reset()
		for _, s := range steps {
			m := must.Get(p.Pack(s))(b)
			p.Do(m)
		}
		packed += len(steps)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(packed), "ns/ply")
}

// BenchmarkPerftBulk counts the moves of the last ply with Count.
func BenchmarkPerftBulk(b *testing.B) { benchPerft(b, engine.Perft) }

// BenchmarkPerftList counts the moves of the last ply by listing them.
func BenchmarkPerftList(b *testing.B) {
	benchPerft(b, func(p engine.Position, depth int) uint64 { return engine.Perft(enginetest.Lister{Position: p}, depth) })
}

// BenchmarkPerftLeaf plays and undoes the moves of the last ply.
func BenchmarkPerftLeaf(b *testing.B) { benchPerft(b, engine.PerftLeaf) }

func benchPerft(b *testing.B, count func(engine.Position, int) uint64) {
	for _, c := range []struct {
		name, text string
		depth      int
	}{{"start5", chess.StartText, 5}, {"kiwipete4", kiwipete, 4}} {
		b.Run(c.name, func(b *testing.B) {
			enginetest.BenchPerft(b, at(b, c.text), c.depth, count)
		})
	}
}
