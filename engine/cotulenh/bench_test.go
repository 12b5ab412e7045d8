package cotulenh_test

import (
	"testing"

	"selfplay/engine"
	"selfplay/engine/cotulenh"
	"selfplay/engine/enginetest"
	"selfplay/internal/must"
)

// BenchmarkRandomPlay plays random games from the start.
func BenchmarkRandomPlay(b *testing.B) {
	enginetest.BenchPlay(b, cotulenh.Game(), enginetest.Uniform)
}

// benchPositions measures query on every position of random games. It returns the number
// of positions.
func benchPositions(b *testing.B, query func(p *cotulenh.Position)) (positions int) {
	b.Helper()
	return enginetest.BenchPositions(b, cotulenh.Game(), enginetest.Uniform, query)
}

// BenchmarkMoves lists the legal steps of every position of random games.
func BenchmarkMoves(b *testing.B) {
	list, moves := make([]engine.Move, 0, 1024), 0
	positions := benchPositions(b, func(p *cotulenh.Position) {
		list = p.Moves(list[:0])
		moves += len(list)
	})
	b.ReportMetric(float64(moves)/float64(positions), "moves/position")
}

// BenchmarkMovesCold lists the legal steps of every conformance state. Each state has
// its own position, so nothing is left over from another one.
func BenchmarkMovesCold(b *testing.B) {
	positions := statePositions(b)
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

// BenchmarkPerftLeaf plays and undoes the last ply too.
func BenchmarkPerftLeaf(b *testing.B) { benchPerft(b, engine.PerftLeaf) }

func benchPerft(b *testing.B, count func(engine.Position, int) uint64) {
	enginetest.BenchPerft(b, cotulenh.New(), 3, count)
}

// BenchmarkSet reads the texts of all conformance states.
func BenchmarkSet(b *testing.B) {
	list, p, read := states(b), cotulenh.New(), 0
	b.ReportAllocs()
	for b.Loop() {
		for _, s := range list {
			must.Do(b, p.Set(s.Position))
		}
		read += len(list)
	}
	enginetest.PerSecond(b, read, "texts/s")
}

// BenchmarkString writes the texts of all conformance states.
func BenchmarkString(b *testing.B) {
	positions := statePositions(b)
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

// statePositions returns a position for each conformance state.
func statePositions(b *testing.B) (list []*cotulenh.Position) {
	b.Helper()
	for _, s := range states(b) {
		list = append(list, at(b, s.Position))
	}
	return list
}
