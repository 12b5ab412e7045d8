package workers

import (
	"context"
	"fmt"
	"testing"

	"selfplay/encode"
	"selfplay/engine"
)

// BenchmarkPlay counts plies of random play, played and recorded; an operation
// is a ply. With two workers it takes half the time of one.
func BenchmarkPlay(b *testing.B) {
	for _, game := range encode.Games() {
		for _, workers := range []int{1, 2} {
			b.Run(fmt.Sprintf("%s/workers=%d", game.Name, workers), func(b *testing.B) {
				s := series(b, "random")
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
		if err := p.Play(context.Background(), Games(first, games), nil, count); err != nil {
			b.Fatal(err)
		}
	}
	play(0, 100) // also tells how long a game is
	perGame := plies / 100
	plies = 0
	b.ReportAllocs()
	b.ResetTimer()
	play(100, uint64(b.N/perGame+1))
	b.ReportMetric(float64(plies)/b.Elapsed().Seconds(), "plies/s")
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(plies), "ns/ply")
}

// TestPlayDoesNotAllocate asserts what the benchmark shows: once a worker's
// memory has grown, games cost none.
func TestPlayDoesNotAllocate(t *testing.T) {
	p := Start(series(t, "random"), 1)
	defer p.Close()
	const games = 2000
	allocs := testing.AllocsPerRun(1, func() {
		if err := p.Play(context.Background(), Games(0, games), nil, func(*engine.Record) error { return nil }); err != nil {
			t.Error(err)
		}
	})
	if allocs > games/10 { // the window of one Play, whatever its length
		t.Errorf("%v allocations for %d games", allocs, games)
	}
}
