package chess_test

import (
	"math/rand/v2"
	"testing"

	"selfplay/engine"
	"selfplay/engine/chess"
	"selfplay/engine/enginetest"
)

const kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"

// BenchmarkRandomPlay plays whole games from the start by drawing alone.
func BenchmarkRandomPlay(b *testing.B) { enginetest.BenchPlay(b, chess.Game(), enginetest.Uniform) }

// benchAsked reports what it costs to ask something of every position of random
// games.
func benchAsked(b *testing.B, ask func(p *chess.Position)) {
	enginetest.BenchAsk(b, chess.Game(), enginetest.Uniform, ask)
}

// BenchmarkMoves lists the legal moves of every position of random games.
func BenchmarkMoves(b *testing.B) {
	list := make([]engine.Move, 0, 256)
	benchAsked(b, func(p *chess.Position) { list = p.Moves(list[:0]) })
}

// BenchmarkCount counts them.
func BenchmarkCount(b *testing.B) {
	benchAsked(b, func(p *chess.Position) { p.Count() })
}

// BenchmarkAppendCells writes the cells of every position.
func BenchmarkAppendCells(b *testing.B) {
	cells := make([]byte, 0, 64)
	benchAsked(b, func(p *chess.Position) { cells = p.AppendCells(cells[:0]) })
}

// BenchmarkRepetitions looks for every position before.
func BenchmarkRepetitions(b *testing.B) {
	benchAsked(b, func(p *chess.Position) { p.Repetitions() })
}

// BenchmarkOutcome asks every position whether it is the last.
func BenchmarkOutcome(b *testing.B) {
	benchAsked(b, func(p *chess.Position) { p.Outcome() })
}

// BenchmarkPack replays games by their steps.
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
			m, err := p.Pack(s)
			if err != nil {
				b.Fatal(err)
			}
			p.Do(m)
		}
		packed += len(steps)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(packed), "ns/ply")
}

// BenchmarkPerftBulk counts the last ply without playing it.
func BenchmarkPerftBulk(b *testing.B) { benchPerft(b, engine.Perft) }

// BenchmarkPerftList lists the last ply to count it.
func BenchmarkPerftList(b *testing.B) {
	benchPerft(b, func(p engine.Position, depth int) uint64 { return engine.Perft(lister{p}, depth) })
}

// BenchmarkPerftLeaf plays and takes back the last ply too.
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
