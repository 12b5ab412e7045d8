package encode_test

import (
	"slices"
	"testing"

	"selfplay/encode"
	"selfplay/encode/encodetest"
	"selfplay/engine"
)

// plain returns a record with a number of plies. Only the number matters.
func plain(t testing.TB, number uint64, plies int) (*encode.Game, *engine.Record) {
	t.Helper()
	game, rec := encode.Chess(), encodetest.Knights(t, plies)
	rec.Game = number
	return &game, rec
}

// TestKeepDrawsItsFractionOfEveryPly for any seed.
func TestKeepDrawsItsFractionOfEveryPly(t *testing.T) {
	const games, plies = 3000, 10
	game, rec := plain(t, 0, plies)
	for _, keep := range []engine.Fraction{1, 100, 500, 999} {
		for _, seed := range []uint64{1, 2, 1 << 63} {
			count := [plies]int{}
			for number := range uint64(games) {
				rec.Game = number
				rows, _ := filtered(t, game, encode.Filter{Keep: keep}, seed, rec)
				for _, ply := range rows {
					count[ply]++
				}
			}
			for ply, n := range count {
				mean := float64(games) * float64(keep) / 1000
				if d := float64(n) - mean; d*d > 20*mean*(1-float64(keep)/1000)+9 { // 4.5 standard deviations
					t.Errorf("fraction %v, seed %d, ply %d: %d of %d rows", keep, seed, ply, n, games)
				}
			}
		}
	}
}

// TestLargerSamplesContainSmallerOnes, both by fraction and by rows per game.
func TestLargerSamplesContainSmallerOnes(t *testing.T) {
	for number := range uint64(200) {
		game, rec := plain(t, number, 40)
		var before []int
		for _, f := range []encode.Filter{{Keep: 50}, {Keep: 100}, {Keep: 101}, {Keep: 500}, {Keep: 900}, {}} {
			rows, _ := filtered(t, game, f, 7, rec)
			mustContain(t, rows, before)
			before = rows
		}
		before = nil
		for n := range 45 {
			rows, _ := filtered(t, game, encode.Filter{MaxRows: n + 1}, 7, rec)
			mustContain(t, rows, before)
			if want := min(n+1, 40); len(rows) != want {
				t.Fatalf("at most %d rows: %d", n+1, len(rows))
			}
			before = rows
		}
	}
}

func mustContain(t *testing.T, rows, some []int) {
	t.Helper()
	if !slices.IsSorted(rows) {
		t.Fatalf("plies %v are not in order", rows)
	}
	for _, ply := range some {
		if !slices.Contains(rows, ply) {
			t.Fatalf("%v has no ply %d, but a smaller sample has it", rows, ply)
		}
	}
}

// TestMaxRowsDrawsUniformly: every ply is as frequent as any other, and every pair too.
func TestMaxRowsDrawsUniformly(t *testing.T) {
	const games, plies, rows = 6000, 6, 3
	var pairs [plies][plies]int
	for number := range uint64(games) {
		game, rec := plain(t, number, plies)
		chosen, dropped := filtered(t, game, encode.Filter{MaxRows: rows}, 5, rec)
		if dropped[0] != plies-rows {
			t.Fatalf("%d dropped", dropped)
		}
		for _, a := range chosen {
			for _, b := range chosen {
				pairs[a][b]++
			}
		}
	}
	for a := range plies {
		for b := range a + 1 {
			probability := float64(rows) / plies
			if a != b {
				probability *= float64(rows-1) / (plies - 1)
			}
			mean := games * probability
			if d := float64(pairs[a][b]) - mean; d*d > 20*mean*(1-probability) {
				t.Errorf("plies %d and %d: %d times, want about %.0f", a, b, pairs[a][b], mean)
			}
		}
	}
}

// TestSamplesAreFrozen pins which rows are drawn. Datasets depend on them: repair the
// change, never the numbers.
func TestSamplesAreFrozen(t *testing.T) {
	game, rec := plain(t, 1234567, 40)
	for _, c := range []struct {
		parts []string
		seed  uint64
		want  []int
	}{
		{[]string{"keep=0.1"}, 1, []int{0, 26, 32}},
		{[]string{"keep=0.25"}, 1, []int{0, 5, 6, 8, 10, 23, 26, 32}},
		{[]string{"keep=0.25"}, 2, []int{3, 13, 14, 17, 22, 25, 27, 31, 32, 33}},
		{[]string{"max-rows-per-game=5"}, 1, []int{0, 16, 19, 25, 26}},
		{[]string{"max-rows-per-game=5"}, 2, []int{5, 10, 16, 23, 25}},
		{[]string{"keep=0.25", "max-rows-per-game=5"}, 1, []int{0, 5, 10, 23, 26}},
	} {
		if got, _ := filtered(t, game, filter(t, c.parts...), c.seed, rec); !slices.Equal(got, c.want) {
			t.Errorf("%q, seed %d: plies %v, want %v", c.parts, c.seed, got, c.want)
		}
	}
}
