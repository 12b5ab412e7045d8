package workers

import (
	"math/rand/v2"
	"testing"
)

// Every ply of the range is explored equally often, and at most once per game.
func TestExploredPliesAreUniformAndDistinct(t *testing.T) {
	const games, begin = 20_000, 7
	e := explorer{Exploration: &Exploration{Moves: 3, First: 2, Last: 11}}
	src, count := rand.NewPCG(1, 3), map[int]int{}
	for range games {
		e.choosePlies(src, begin)
		explored := 0
		for ply := range 40 {
			if e.due(ply) {
				count[ply]++
				explored++
			}
		}
		if explored != 3 {
			t.Fatalf("%d plies explored in a game, want 3", explored)
		}
	}
	for ply := range 40 {
		in := ply >= begin+2 && ply <= begin+11
		if n := count[ply]; in != (n > 0) || in && (n < games*27/100 || n > games*33/100) {
			t.Errorf("ply %d is explored in %d of %d games", ply, n, games)
		}
	}
}

func TestDisabledExplorationDrawsNothing(t *testing.T) {
	e := explorer{Exploration: &Exploration{}}
	src, other := rand.NewPCG(1, 4), rand.NewPCG(1, 4)
	e.choosePlies(src, 0)
	if *src != *other || e.due(0) {
		t.Error("a number was drawn or a ply is explored")
	}
}
