package enginetest

import (
	"math/rand/v2"
	"testing"
	"time"

	"selfplay/engine"
)

// Draw plays a drawn move and reports whether there was one.
type Draw func(p engine.Position, src *rand.PCG) bool

// Uniform draws as Random does.
func Uniform(p engine.Position, src *rand.PCG) bool { return draw(p, src) }

// BenchPlay plays whole games of g from the start, by drawing alone.
func BenchPlay(b *testing.B, g engine.Game, draw Draw) {
	p, src := g.New(""), rand.NewPCG(0, 0)
	plies := 0
	b.ReportAllocs()
	for game := uint64(1); b.Loop(); game++ {
		src.Seed(game, 0)
		plies += PlayOut(p, src, draw, g.MaxPlies, nil)
	}
	PerSecond(b, plies, "plies/s")
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(plies), "ns/ply")
}

// BenchAsk reports what it costs to ask something of every position of drawn games.
// Each game is played with and without the question, which costs the difference. It
// returns how many positions there were.
func BenchAsk[P engine.Position](b *testing.B, g engine.Game, draw Draw, ask func(p P)) (positions int) {
	b.Helper()
	p, src := g.New("").(P), rand.NewPCG(0, 0)
	play := func(game uint64, look func()) time.Duration {
		src.Seed(game, 0)
		begin := time.Now()
		PlayOut(p, src, draw, g.MaxPlies, look)
		return time.Since(begin)
	}
	var cost time.Duration
	b.ReportAllocs()
	for game := uint64(1); b.Loop(); game++ {
		cost -= play(game, func() { positions++ })
		cost += play(game, func() { ask(p) })
	}
	b.ReportMetric(float64(positions)/cost.Seconds(), "positions/s")
	b.ReportMetric(float64(cost.Nanoseconds())/float64(positions), "ns/position")
	return positions
}

// PlayOut plays one game from the start, of limit plies at most; look, if any, sees
// every position.
func PlayOut(p engine.Position, src *rand.PCG, draw Draw, limit int, look func()) (plies int) {
	p.Reset()
	for ; plies < limit; plies++ {
		if look != nil {
			look()
		}
		if !draw(p, src) {
			break
		}
	}
	return plies
}

// BenchPerft counts from p with engine.Perft or engine.PerftLeaf.
func BenchPerft(b *testing.B, p engine.Position, depth int, count func(engine.Position, int) uint64) {
	nodes := uint64(0)
	b.ReportAllocs()
	for b.Loop() {
		nodes += count(p, depth)
	}
	PerSecond(b, int(nodes), "nodes/s")
}

// PerSecond reports n things as so many a second.
func PerSecond(b *testing.B, n int, unit string) {
	b.Helper()
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), unit)
}
