package contrast_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"selfplay/engine"
	"selfplay/engine/contrast"
	"selfplay/engine/enginetest"
)

// checkScore: the score is bounded, invariant under symmetries and a function of the
// text, and Over agrees with Outcome.
func checkScore(d *enginetest.Differences, variant string, p *contrast.Position) {
	d.T.Helper()
	text, score := p.String(), p.Evaluate()
	if score < -engine.MaxStatic || score > engine.MaxStatic {
		d.Addf("%s: score %d", text, score)
	}
	if got := set(d.T, in(variant), text).Evaluate(); got != score {
		d.Addf("%s: score %d as played, %d as read", text, score, got)
	}
	for name, s := range symmetries {
		if q := s.position(d.T, variant, p); q.Evaluate() != score {
			d.Addf("%s: score %d, after %s %d", text, score, name, q.Evaluate())
		}
	}
	if o := p.Outcome(); p.Over() != (o != engine.Ongoing && o.Reason != engine.Blocked) {
		d.Addf("%s: Over %t, outcome %v", text, p.Over(), o)
	}
}

// TestEvaluateLaws applies checkScore to all states of the data and along random
// games.
func TestEvaluateLaws(t *testing.T) {
	for _, variant := range variants {
		t.Run(variant, func(t *testing.T) {
			t.Parallel()
			d, p, src, seen := &enginetest.Differences{T: t}, in(variant), rand.NewPCG(2, 0), 0
			for _, s := range states(t) {
				checkScore(d, variant, set(t, p, s.text()))
				seen++
			}
			for range 20 {
				playOut(p, src, tileSampler(250), func() {
					checkScore(d, variant, p)
					seen++
				})
			}
			d.Report(seen)
			enginetest.AtLeast(t, seen, 1700)
		})
	}
}

// TestEvaluateTerms: of two positions with Black to move the first is better for
// Black.
func TestEvaluateTerms(t *testing.T) {
	const full, none = "3,1,3,1 x", "0,0,3,1 x"
	for _, c := range []struct{ name, better, worse string }{
		{"advanced piece",
			boardText("xx.xx ..x.. ..... ..... ooooo", full),
			boardText("xxxxx ..... ..... ..... ooooo", full)},
		{"unopposed runner",
			boardText("xxxx. ..... ....x ..... oooo.", full),
			boardText("xxxx. ..... ....x ....o ooo..", full)},
		{"goal within reach",
			boardText("xxxx. ..... ..... ....x oooo.", full),
			boardText("xxxx. ..... ..... ....x ..ooo", full)},
		{"no winning reply",
			boardText("xxxxx o.... ..... ..... .oooo", full),
			boardText("x.xxx .o... .x... ..... .oooo", full)},
		{"mobility",
			boardText("xxxxx ..... ..... ..... ooooo", full),
			boardText(strings.Repeat("X", 4)+". xoooo o.... ..... .....", full)},
		{"tiles in hand",
			boardText("xxxxx ..... ..... ..... ooooo", full),
			boardText("xxxxx ..... ..... ..... ooooo", none)},
	} {
		if better, worse := at(t, c.better).Evaluate(), at(t, c.worse).Evaluate(); better <= worse {
			t.Errorf("%s: score %d, without it %d", c.name, better, worse)
		}
	}
}

// TestEvaluatorDoesNotAllocate covers Evaluate, Over, Captures and Gain.
func TestEvaluatorDoesNotAllocate(t *testing.T) {
	p, list := contrast.New(), make([]engine.Move, 0, 64)
	look := func() {
		p.Evaluate()
		p.Over()
		list = p.Captures(list[:0])
		for _, m := range list {
			p.Gain(m)
		}
	}
	if n := testing.AllocsPerRun(100, look); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// TestScoresAreFrozen compares golden scores.
func TestScoresAreFrozen(t *testing.T) {
	texts := []string{contrast.StartText}
	for i, s := range states(t) {
		if i%60 == 17 {
			texts = append(texts, s.text())
		}
	}
	enginetest.GoldenScores(t, contrast.Game(), texts)
}

func BenchmarkEvaluate(b *testing.B) {
	sum := 0
	benchPositions(b, func(p *contrast.Position) { sum += p.Evaluate() })
}
