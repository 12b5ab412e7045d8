package search

import (
	"math/rand/v2"
	"testing"

	"selfplay/engine"
)

// A score is found at its depth and at smaller ones, a move at every depth, both in the same search.
// The next search finds neither, even after the iteration numbers wrapped around.
func TestTableEntriesExpire(t *testing.T) {
	tt := newTable(1 << 16)
	if len(tt.entries)*entrySize != 1<<20 {
		t.Fatalf("a table of 1 MiB has %d entries", len(tt.entries))
	}
	const key, depth, ply = 0xfedc_ba98_7654_3210, 3, 7
	move := engine.Move(0xdeadbeef)
	for search := range 3 * maxIteration / MaxDepth {
		tt.nextSearch(false)
		for iteration := range MaxDepth {
			tt.nextIteration()
			if _, m, cutoff := tt.probe(key, depth, -1, 1, ply); cutoff != (iteration > 0) || (m == move) != (iteration > 0) {
				t.Fatalf("search %d, iteration %d: before store: move %x, cutoff %t", search, iteration, m, cutoff)
			}
			tt.store(key, move, -123, depth, -infinite, infinite, ply)
			if score, m, cutoff := tt.probe(key, depth, -1, 1, ply); !cutoff || score != -123 || m != move {
				t.Fatalf("search %d, iteration %d, after store: score %d, move %x, cutoff %t", search, iteration, score, m, cutoff)
			}
			for _, other := range []int{depth - 1, depth + 1} {
				if _, m, cutoff := tt.probe(key, other, -1, 1, ply); cutoff != (other < depth) || m != move {
					t.Fatalf("depth %d: move %x, cutoff %t", other, m, cutoff)
				}
			}
			if _, m, cutoff := tt.probe(^uint64(key), depth, -1, 1, ply); cutoff || m != 0 {
				t.Fatal("a score was used for another position")
			}
		}
	}
}

// TestALongGameForgets: the numbers of a game's iterations are bounded, and a game forgets at the same
// search whatever was played before it.
func TestALongGameForgets(t *testing.T) {
	for _, before := range []uint64{0, 1_000, maxIteration - 5*MaxDepth} {
		tt := newTable(1 << 10)
		tt.iteration = before
		tt.nextGame()
		for search := 0; ; search++ {
			first, iteration := tt.first, tt.iteration
			tt.nextSearch(true)
			if tt.first != first || tt.iteration < iteration {
				if want := gameIterations / MaxDepth; search != want {
					t.Errorf("%d iterations before: forgets at search %d, want %d", before, search, want)
				}
				break
			}
			tt.iteration += MaxDepth
			if tt.iteration >= maxIteration {
				t.Fatalf("iteration %d, want at most %d", tt.iteration, maxIteration-1)
			}
		}
	}
}

// A bound causes a cutoff only in windows that it decides. Proven ends are counted from
// the root.
func TestTableBounds(t *testing.T) {
	tt := newTable(1 << 16)
	tt.nextSearch(false)
	tt.nextIteration()
	for i, c := range []struct {
		best, alpha, beta int // stored
		lo, hi            int // window of the probe
		cutoff            bool
	}{
		{50, 0, 100, 10, 20, true}, // an exact score decides every window
		{50, 0, 40, 10, 50, true},  // lower bound
		{50, 0, 40, 10, 51, false},
		{50, 60, 100, 50, 80, true}, // upper bound
		{50, 60, 100, 49, 80, false},
		{29_990, 0, 100, 0, 10, true},  // a proven win
		{-29_990, 0, 100, 0, 10, true}, // a proven loss
	} {
		const storePly, probePly = 4, 6
		key := uint64(i) << 40
		tt.store(key, 1, c.best, 2, c.alpha, c.beta, storePly)
		score, _, cutoff := tt.probe(key, 2, c.lo, c.hi, probePly)
		want := c.best
		if isProven(want) { // two plies further away from the root
			want -= 2 * (want / max(want, -want))
		}
		if cutoff != c.cutoff || cutoff && score != want {
			t.Errorf("case %d: score %d, cutoff %t, want score %d, cutoff %t", i, score, cutoff, want, c.cutoff)
		}
	}
}

// The table may lose positions, but never returns the score of another one.
func TestTableKeepsPositionsApart(t *testing.T) {
	tt, src := newTable(1<<16), rand.NewPCG(5, 6)
	tt.nextSearch(false)
	tt.nextIteration()
	keys := make([]uint64, 200_000)
	scoreOf := func(key uint64) int { return int(key>>20%1000) - 500 }
	for i := range keys {
		keys[i] = src.Uint64()
		tt.store(keys[i], 1, scoreOf(keys[i]), 1, -infinite, infinite, 0)
	}
	found := 0
	for _, key := range keys {
		if score, _, cutoff := tt.probe(key, 1, 0, 1, 0); cutoff {
			found++
			if score != scoreOf(key) {
				t.Fatalf("score %d, want %d", score, scoreOf(key))
			}
		}
	}
	if found < len(tt.entries)*9/10 {
		t.Errorf("%d positions in %d entries, want at least 90 %%", found, len(tt.entries))
	}
}

// A full table keeps the same positions whatever an earlier search left in it.
func TestFullTableForgetsEarlierSearches(t *testing.T) {
	fresh, used, src := newTable(1<<10), newTable(1<<10), rand.NewPCG(7, 8)
	store := func(tables ...*table) (key uint64) {
		key = src.Uint64()
		for _, tt := range tables {
			tt.store(key, 1, 5, int(key>>30%3), -infinite, infinite, 0)
		}
		return key
	}
	used.nextSearch(false)
	used.nextIteration()
	for range 3_000 {
		store(&used)
	}
	for _, tt := range []*table{&fresh, &used} {
		tt.nextSearch(false)
		tt.nextIteration()
	}
	var keys []uint64
	for range 5_000 {
		keys = append(keys, store(&fresh, &used))
	}
	for i, key := range keys {
		_, want, _ := fresh.probe(key, 0, 0, 1, 0)
		if _, got, _ := used.probe(key, 0, 0, 1, 0); got != want {
			t.Fatalf("position %d: move %d in the used table, %d in the fresh one", i, got, want)
		}
	}
}
