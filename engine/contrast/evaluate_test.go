package contrast_test

import (
	"flag"
	"math/rand/v2"
	"testing"

	"selfplay/engine"
	"selfplay/engine/contrast"
	"selfplay/engine/enginetest"
)

// checkScore: the score is bounded, the same in every symmetry, and the same when
// the position is read from its text.
func checkScore(m *enginetest.Misses, dialect string, p *contrast.Position) {
	m.T.Helper()
	text, score := p.String(), p.Evaluate()
	if score < -engine.MaxStatic || score > engine.MaxStatic {
		m.Addf("%s: score %d", text, score)
	}
	if got := set(m.T, in(dialect), text).Evaluate(); got != score {
		m.Addf("%s: score %d, read again %d", text, score, got)
	}
	for name, s := range symmetries {
		if q := s.position(m.T, dialect, p); q.Evaluate() != score {
			m.Addf("%s: score %d, after a %s %d", text, score, name, q.Evaluate())
		}
	}
	if o := p.Outcome(); p.Over() != (o != engine.Ongoing && o.Reason != engine.Blocked) {
		m.Addf("%s: over %t, and the outcome is %v", text, p.Over(), o)
	}
}

// TestEvaluateLaws: what checkScore says holds in every state and all along
// random games.
func TestEvaluateLaws(t *testing.T) {
	for _, dialect := range dialects {
		t.Run(dialect, func(t *testing.T) {
			t.Parallel()
			m, p, src, seen := &enginetest.Misses{T: t}, in(dialect), rand.NewPCG(2, 0), 0
			for _, s := range states(t) {
				checkScore(m, dialect, set(t, p, s.text()))
				seen++
			}
			for range 20 {
				playOut(p, src, tileDice(250), func() {
					checkScore(m, dialect, p)
					seen++
				})
			}
			m.Report(seen)
			enginetest.AtLeast(t, seen, 1700)
		})
	}
}

// TestEvaluateTerms: of two positions the first is better for Black, who moves.
func TestEvaluateTerms(t *testing.T) {
	const full, none = "3,1,3,1 x", "0,0,3,1 x"
	for _, c := range []struct{ name, better, worse string }{
		{"a piece forward",
			draw("xx.xx ..x.. ..... ..... ooooo", full),
			draw("xxxxx ..... ..... ..... ooooo", full)},
		{"a runner with nobody before it",
			draw("xxxx. ..... ....x ..... oooo.", full),
			draw("xxxx. ..... ....x ....o ooo..", full)},
		{"the goal within reach",
			draw("xxxx. ..... ..... ....x oooo.", full),
			draw("xxxx. ..... ..... ....x ..ooo", full)},
		{"no winning move of the other side",
			draw("xxxxx o.... ..... ..... .oooo", full),
			draw("x.xxx .o... .x... ..... .oooo", full)},
		{"not nearly blocked",
			draw("xxxxx ..... ..... ..... ooooo", full),
			draw("XXXX. xoooo o.... ..... .....", full)},
		{"tiles in hand",
			draw("xxxxx ..... ..... ..... ooooo", full),
			draw("xxxxx ..... ..... ..... ooooo", none)},
	} {
		if better, worse := at(t, c.better).Evaluate(), at(t, c.worse).Evaluate(); better <= worse {
			t.Errorf("%s: %d, without it %d", c.name, better, worse)
		}
	}
}

// TestEvaluateDoesNotAllocate: nor do Captures, Gain and Over.
func TestEvaluateDoesNotAllocate(t *testing.T) {
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

var update = flag.Bool("update", false, "write testdata/scores.txt anew")

// TestScores pins scores.
func TestScores(t *testing.T) {
	texts := []string{contrast.StartText}
	for i, s := range states(t) {
		if i%60 == 17 {
			texts = append(texts, s.text())
		}
	}
	enginetest.FrozenScores(t, contrast.Game(), *update, texts)
}

// BenchmarkEvaluate scores the positions of games with the default dice.
func BenchmarkEvaluate(b *testing.B) {
	sum := 0
	benchAsked(b, func(p *contrast.Position) { sum += p.Evaluate() })
}
