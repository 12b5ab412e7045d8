package search_test

import (
	"testing"

	"selfplay/engine"
	"selfplay/engine/search"
)

// TestExpectedIsFrozen: datasets depend on these numbers.
func TestExpectedIsFrozen(t *testing.T) {
	for _, c := range []struct{ score, a, b, want int }{
		{0, 100, 200, 5000}, {100, 100, 200, 6155}, {-100, 100, 200, 3845}, {400, 100, 200, 8709},
		{engine.MaxStatic, 100, 200, 10_000}, {-engine.MaxStatic, 100, 200, 0}, {50, 0, 300, 5416}, {29_999, 130, 364, 10_000},
	} {
		if got := search.Expected(c.score, c.a, c.b); got != c.want {
			t.Errorf("score %d with a %d and b %d: %d, want %d", c.score, c.a, c.b, got, c.want)
		}
	}
}
