package nnue_test

import (
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"testing"

	"selfplay/engine"
	"selfplay/engine/nnue"
)

// TestScoresAreFrozen pins the scores of networks of random weights along random games. If a
// score changes, Version must, because datasets of players with networks change.
func TestScoresAreFrozen(t *testing.T) {
	want := map[string]string{
		"chess":    "1bd87e426f74ce327a78033bee4b4541",
		"contrast": "e3882c843ad8494a3363fb9b34a6ce23",
		"cotulenh": "69d11594fb8739db1a48c623d7cd0a4f",
	}
	for _, g := range games() {
		sum := sha256.New()
		for seed, hidden := range []int{16, 48, 64} {
			p, src := g.New("").(engine.Featured), rand.NewPCG(uint64(seed), 1)
			s := nnue.NewScorer(network(t, g, hidden, 3, uint64(seed)), 20*seed)
			s.Begin(p)
			for range 300 {
				if _, ok := p.DoRandom(src); !ok {
					p.Reset()
				}
				fmt.Fprintln(sum, s.Score())
			}
		}
		if got := fmt.Sprintf("%x", sum.Sum(nil))[:32]; got != want[g.Name] || nnue.Version != 1 {
			t.Errorf("%s: scores of version %d have digest %s, want %s", g.Name, nnue.Version, got, want[g.Name])
		}
	}
}
