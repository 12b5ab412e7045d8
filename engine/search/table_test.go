package search

import (
	"math/rand/v2"
	"testing"

	"selfplay/engine"
)

// TestTable: what is stored comes back in the same iteration at the same depth;
// its move in the same search; nothing in the next one, however often numbers wrap.
func TestTable(t *testing.T) {
	tab := newTable(1)
	if len(tab.entries)*entrySize != 1<<20 {
		t.Fatalf("a table of 1 MiB has %d entries", len(tab.entries))
	}
	const key, depth, ply = 0xfedc_ba98_7654_3210, 3, 7
	move := engine.Move(0xdeadbeef)
	for search := range 3 * numbers / MaxDepth {
		tab.nextSearch()
		for iteration := range MaxDepth {
			tab.nextIteration()
			if _, m, cut := tab.probe(key, depth, -1, 1, ply); cut || iteration == 0 && m != 0 || iteration > 0 && m != move {
				t.Fatalf("search %d, iteration %d: move %x, cut %t before it was stored", search, iteration, m, cut)
			}
			tab.store(key, move, -123, depth, -infinite, infinite, ply)
			if score, m, cut := tab.probe(key, depth, -1, 1, ply); !cut || score != -123 || m != move {
				t.Fatalf("search %d, iteration %d: %d, %x, %t", search, iteration, score, m, cut)
			}
			if _, m, cut := tab.probe(key, depth-1, -1, 1, ply); cut || m != move {
				t.Fatal("a score served at another depth")
			}
			if _, m, cut := tab.probe(^uint64(key), depth, -1, 1, ply); cut || m != 0 {
				t.Fatal("a score served another position")
			}
		}
	}
}

// TestBounds: a bound serves only windows that it settles, and ends of the game
// are told by their distance from the root.
func TestBounds(t *testing.T) {
	tab := newTable(1)
	tab.nextSearch()
	tab.nextIteration()
	for i, c := range []struct {
		best, alpha, beta int // as stored
		lo, hi            int // as asked
		cut               bool
	}{
		{50, 0, 100, 10, 20, true},    // a value settles all
		{50, 0, 40, 10, 50, true},     // at least 50
		{50, 0, 40, 10, 51, false},    //
		{50, 60, 100, 50, 80, true},   // at most 50
		{50, 60, 100, 49, 80, false},  //
		{29_990, 0, 100, 0, 10, true}, // a win
		{-29_990, 0, 100, 0, 10, true},
	} {
		const stored, asked = 4, 6
		key := uint64(i) << 40
		tab.store(key, 1, c.best, 2, c.alpha, c.beta, stored)
		score, _, cut := tab.probe(key, 2, c.lo, c.hi, asked)
		want := c.best
		if proven(want) { // two plies further away from the root
			want -= 2 * (want / max(want, -want))
		}
		if cut != c.cut || cut && score != want {
			t.Errorf("case %d: %d, %t, want %d, %t", i, score, cut, want, c.cut)
		}
	}
}

// TestBuckets: the table may forget, but never mixes positions up.
func TestBuckets(t *testing.T) {
	tab, src := newTable(1), rand.NewPCG(5, 6)
	tab.nextSearch()
	tab.nextIteration()
	keys := make([]uint64, 200_000)
	scoreOf := func(key uint64) int { return int(key>>20%1000) - 500 }
	for i := range keys {
		keys[i] = src.Uint64()
		tab.store(keys[i], 1, scoreOf(keys[i]), 1, -infinite, infinite, 0)
	}
	found := 0
	for _, key := range keys {
		if score, _, cut := tab.probe(key, 1, 0, 1, 0); cut {
			found++
			if score != scoreOf(key) {
				t.Fatalf("%d, want %d", score, scoreOf(key))
			}
		}
	}
	if found < len(tab.entries)*9/10 {
		t.Errorf("%d entries hold %d positions", len(tab.entries), found)
	}
}
