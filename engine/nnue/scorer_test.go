package nnue_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"selfplay/engine"
	"selfplay/engine/nnue"
	"selfplay/engine/nnue/nnuetest"
)

// plies returns the number of plies that a test visits.
func plies(n int) int {
	if testing.Short() {
		return n / 10
	}
	return n
}

// TestScorerEqualsReference: scores along games, with moves tried and taken back, are those
// computed from the board. A null move is tried where the game has them.
func TestScorerEqualsReference(t *testing.T) {
	for _, g := range games() {
		for _, variant := range append([]string{""}, g.Variants...) {
			for _, hidden := range []int{16, 48, 64} {
				t.Run(fmt.Sprintf("%s/%s/H=%d", g.Name, variant, hidden), func(t *testing.T) {
					t.Parallel()
					followGames(t, g, variant, hidden, plies(12_000))
				})
			}
		}
	}
}

func followGames(t *testing.T, g engine.Game, variant string, hidden, plies int) {
	p, src := g.New(variant).(engine.Featured), rand.NewPCG(uint64(hidden), 1)
	d := nnuetest.Network{Game: g.Name, Features: p.FeatureSet(), Hidden: hidden, Buckets: 5, Seed: 3, Scale: 400}
	s, want := nnue.NewScorer(network(t, g, hidden, 5, 3), 0), newReference(d)
	check := func() {
		t.Helper()
		if got, want := s.Score(), want.score(p); got != want {
			t.Fatalf("%s after %d plies: score %d, want %d", p, p.Plies(), got, want)
		}
	}
	for range plies {
		if p.Outcome() != engine.Ongoing || p.Plies() > 300 {
			p.Reset()
		}
		s.Begin(p)
		if src.Uint64()%2 == 0 { // else the first score is not that of the root
			check()
		}
		deep := int(src.Uint64() % 20)
		played := 0
		for ; played < deep; played++ {
			if _, ok := p.DoRandom(src); !ok {
				break
			}
			if src.Uint64()%3 > 0 {
				check()
			}
			if passer, ok := p.(engine.Passer); ok && passer.Pass() {
				check()
				passer.TakePass()
			}
			if src.Uint64()%4 == 0 {
				p.Undo()
				played--
			}
		}
		for range played {
			p.Undo()
			if src.Uint64()%4 == 0 {
				check()
			}
		}
		p.DoRandom(src)
	}
}
