package chess

import (
	"math/rand/v2"
	"testing"

	"selfplay/internal/must"
)

// TestPass: passing changes the side to move and nothing else on the board, and taking it
// back restores text, hash and score.
func TestPass(t *testing.T) {
	p, src, passed := New(), rand.NewPCG(1, 2), 0
	for range 20 {
		p.Reset()
		for {
			if _, ok := p.DoRandom(src); !ok {
				break
			}
			text, hash, score, side := p.String(), p.Hash(), p.Evaluate(), p.Turn()
			if !p.Pass() {
				continue
			}
			passed++
			if p.Turn() != side.Other() || p.Hash() == hash || p.Hash() != p.computeHash() {
				t.Fatalf("%s: passing leads to %s with hash %x", text, p, p.Hash())
			}
			p.TakePass()
			if p.String() != text || p.Hash() != hash || p.Evaluate() != score {
				t.Fatalf("%s: taking the pass back leads to %s", text, p)
			}
		}
	}
	if passed < 500 {
		t.Errorf("%d passes, want more", passed)
	}
}

// TestPassIsRefused in check, and where a side has only pawns.
func TestPassIsRefused(t *testing.T) {
	for _, text := range []string{"4k3/8/8/8/8/8/4r3/R3K3 w - - 0 1", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"} {
		p := New()
		must.Do(t, p.Set(text))
		if p.Pass() || p.String() != text {
			t.Errorf("%s: passes", text)
		}
	}
}
