package cotulenh_test

import (
	"testing"

	"selfplay/engine"
	"selfplay/engine/cotulenh"
	"selfplay/engine/enginetest"
)

// BenchmarkRandomPlay plays whole games from the start by drawing alone.
func BenchmarkRandomPlay(b *testing.B) {
	enginetest.BenchPlay(b, cotulenh.Game(), enginetest.Uniform)
}

// benchAsked reports what it costs to ask something of every position of random
// games, and returns how many there were.
func benchAsked(b *testing.B, ask func(p *cotulenh.Position)) (positions int) {
	b.Helper()
	return enginetest.BenchAsk(b, cotulenh.Game(), enginetest.Uniform, ask)
}

// BenchmarkMoves lists all legal steps there.
func BenchmarkMoves(b *testing.B) {
	list, moves := make([]engine.Move, 0, 1024), 0
	positions := benchAsked(b, func(p *cotulenh.Position) {
		list = p.Moves(list[:0])
		moves += len(list)
	})
	b.ReportMetric(float64(moves)/float64(positions), "moves/position")
}

// BenchmarkMovesCold lists every state of the data once, each on a position of
// its own, so that nothing is left over from the position before.
func BenchmarkMovesCold(b *testing.B) {
	var positions []*cotulenh.Position
	for _, s := range states(b) {
		positions = append(positions, at(b, s.Position))
	}
	list := make([]engine.Move, 0, 1024)
	listed := 0
	b.ReportAllocs()
	for b.Loop() {
		for _, p := range positions {
			list = p.Moves(list[:0])
		}
		listed += len(positions)
	}
	enginetest.PerSecond(b, listed, "positions/s")
}

// BenchmarkPerftBulk counts the last ply by listing it.
func BenchmarkPerftBulk(b *testing.B) { benchPerft(b, engine.Perft) }

// BenchmarkPerftLeaf plays and takes back the last ply too.
func BenchmarkPerftLeaf(b *testing.B) { benchPerft(b, engine.PerftLeaf) }

func benchPerft(b *testing.B, count func(engine.Position, int) uint64) {
	enginetest.BenchPerft(b, cotulenh.New(), 3, count)
}

// BenchmarkSet reads the texts of all states.
func BenchmarkSet(b *testing.B) {
	list, p, read := states(b), cotulenh.New(), 0
	b.ReportAllocs()
	for b.Loop() {
		for _, s := range list {
			if err := p.Set(s.Position); err != nil {
				b.Fatal(err)
			}
		}
		read += len(list)
	}
	enginetest.PerSecond(b, read, "texts/s")
}

// BenchmarkString writes the positions of all states.
func BenchmarkString(b *testing.B) {
	var positions []*cotulenh.Position
	for _, s := range states(b) {
		positions = append(positions, at(b, s.Position))
	}
	written, size := 0, 0
	b.ReportAllocs()
	for b.Loop() {
		for _, p := range positions {
			size += len(p.String())
		}
		written += len(positions)
	}
	enginetest.PerSecond(b, written, "texts/s")
	b.ReportMetric(float64(size)/float64(written), "B/text")
}
