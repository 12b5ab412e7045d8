package cotulenh_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"selfplay/engine"
	"selfplay/engine/cotulenh"
)

// cap of a random game in the benchmarks; most end before.
const benchPlies = 1000

// BenchmarkRandomPlay plays whole games from the start by drawing alone.
func BenchmarkRandomPlay(b *testing.B) {
	p, src := cotulenh.New(), rand.NewPCG(0, 0)
	plies := 0
	b.ReportAllocs()
	for game := uint64(1); b.Loop(); game++ {
		src.Seed(game, 0)
		plies += playOut(p, src, nil)
	}
	perSecond(b, plies, "plies/s")
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(plies), "ns/ply")
}

// playOut plays one game from the start; look, if any, sees every position.
func playOut(p *cotulenh.Position, src *rand.PCG, look func()) (plies int) {
	p.Reset()
	for ; plies < benchPlies; plies++ {
		if look != nil {
			look()
		}
		if _, ok := p.Random(src); !ok {
			break
		}
	}
	return plies
}

// BenchmarkMoves lists all legal steps of every position of random games. Each
// game is played with and without the lists; they cost the difference.
func BenchmarkMoves(b *testing.B) {
	p, src := cotulenh.New(), rand.NewPCG(0, 0)
	list := make([]engine.Move, 0, 1024)
	positions, moves := 0, 0
	play := func(game uint64, look func()) time.Duration {
		src.Seed(game, 0)
		begin := time.Now()
		playOut(p, src, look)
		return time.Since(begin)
	}
	var cost time.Duration
	b.ReportAllocs()
	for game := uint64(1); b.Loop(); game++ {
		cost -= play(game, nil)
		cost += play(game, func() {
			list = p.Moves(list[:0])
			positions++
			moves += len(list)
		})
	}
	b.ReportMetric(float64(positions)/cost.Seconds(), "positions/s")
	b.ReportMetric(float64(cost.Nanoseconds())/float64(positions), "ns/position")
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
	perSecond(b, listed, "positions/s")
}

// BenchmarkPerftBulk counts the last ply by listing it.
func BenchmarkPerftBulk(b *testing.B) { benchPerft(b, engine.Perft) }

// BenchmarkPerftLeaf plays and takes back the last ply too.
func BenchmarkPerftLeaf(b *testing.B) { benchPerft(b, engine.PerftLeaf) }

func benchPerft(b *testing.B, count func(engine.Position, int) uint64) {
	p, nodes := cotulenh.New(), uint64(0)
	b.ReportAllocs()
	for b.Loop() {
		nodes += count(p, 3)
	}
	perSecond(b, int(nodes), "nodes/s")
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
	perSecond(b, read, "texts/s")
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
	perSecond(b, written, "texts/s")
	b.ReportMetric(float64(size)/float64(written), "B/text")
}

func perSecond(b *testing.B, n int, unit string) {
	b.Helper()
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), unit)
}
