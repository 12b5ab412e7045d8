package encode

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"selfplay/engine"
	"selfplay/engine/enginetest"
)

// TestStaticFingerprints: plans hold them, so another one means that no dataset of the game can be extended.
func TestStaticFingerprints(t *testing.T) {
	var b strings.Builder
	for _, g := range Games() {
		for _, variant := range slices.Compact(append([]string{""}, g.Variants...)) {
			fmt.Fprintf(&b, "%s %q %s\n", g.Name, variant, g.StaticFingerprint(variant))
		}
	}
	enginetest.Golden(t, "testdata/static_scores.golden", b.String(), "Another static score ends the extension of all datasets of the game")
}

// raised is a position whose static score is one unit higher where its score is at least least.
type raised struct {
	engine.Evaluator
	least int
}

func (r raised) Evaluate() int {
	score := r.Evaluator.Evaluate()
	if score >= r.least {
		score++
	}
	return score
}

// TestStaticFingerprintOfAChangedScore changes scores by one unit, of all positions or of those with a high score.
func TestStaticFingerprintOfAChangedScore(t *testing.T) {
	for _, g := range Games() {
		seen := map[string]bool{g.StaticFingerprint(""): true}
		original := g.New
		for _, least := range []int{-engine.MaxStatic, 0, 300} {
			g.New = func(variant string) engine.Position { return raised{original(variant).(engine.Evaluator), least} }
			seen[g.StaticFingerprint("")] = true
		}
		if len(seen) != 4 {
			t.Errorf("%s: %d fingerprints, want 4", g.Name, len(seen))
		}
	}
}

// plain is a position without a static score.
type plain struct{ engine.Position }

func TestStaticFingerprintOfAGameWithoutAScore(t *testing.T) {
	g := Chess()
	original := g.New
	g.New = func(variant string) engine.Position { return plain{original(variant)} }
	if got := g.StaticFingerprint(""); got != "" {
		t.Errorf("%q, want none", got)
	}
}

func BenchmarkStaticFingerprint(b *testing.B) {
	for _, g := range Games() {
		b.Run(g.Name, func(b *testing.B) {
			for b.Loop() {
				g.StaticFingerprint("")
			}
		})
	}
}
