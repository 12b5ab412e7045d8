package workers

import (
	"context"
	"fmt"
	"testing"

	"selfplay/encode"
	"selfplay/engine"
	"selfplay/internal/must"
)

// BenchmarkPlay plays and records games of the random player. An operation is a ply. Two
// workers take half the time of one.
func BenchmarkPlay(b *testing.B) {
	for _, game := range encode.Games() {
		for _, workers := range []int{1, 2} {
			b.Run(fmt.Sprintf("%s/workers=%d", game.Name, workers), func(b *testing.B) {
				s := nimSeries(b, "random")
				s.Game = game
				benchmarkPlay(b, s, workers)
			})
		}
	}
}

func benchmarkPlay(b *testing.B, s Series, workers int) {
	p := Start(s, workers)
	defer p.Close()
	plies := 0
	count := func(r *engine.Record) error { plies += len(r.Actions); return nil }
	play := func(first, games uint64) {
		must.Do(b, p.Play(context.Background(), Games(first, games), nil, count))
	}
	play(0, 100) // also measures the mean length of a game
	perGame := plies / 100
	plies = 0
	b.ReportAllocs()
	b.ResetTimer()
	play(100, uint64(b.N/perGame+1))
	b.ReportMetric(float64(plies)/b.Elapsed().Seconds(), "plies/s")
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(plies), "ns/ply")
}

// A worker whose memory has grown plays further games without allocating.
func TestPlayDoesNotAllocate(t *testing.T) {
	p := startPool(t, nimSeries(t, "random"), 1)
	const games = 2000
	allocs := testing.AllocsPerRun(1, func() {
		must.Do(t, p.Play(context.Background(), Games(0, games), nil, func(*engine.Record) error { return nil }))
	})
	if allocs > games/10 { // Play itself allocates its batch
		t.Errorf("%v allocations for %d games", allocs, games)
	}
}
