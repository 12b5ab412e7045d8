package contrast_test

import (
	"testing"

	"selfplay/engine"
	"selfplay/engine/contrast"
	"selfplay/engine/enginetest"
)

// checkScore: the score is bounded and invariant under symmetries, and Over agrees with Outcome.
func checkScore(d *enginetest.Differences, variant string, p *contrast.Position) {
	d.T.Helper()
	score := p.Evaluate()
	if score < -engine.MaxStatic || score > engine.MaxStatic {
		d.Addf("%s: score %d", p, score)
	}
	for name, s := range symmetries {
		if q := s.position(d.T, variant, p); q.Evaluate() != score {
			d.Addf("%s: score %d, after %s %d", p, score, name, q.Evaluate())
		}
	}
	if o := p.Outcome(); p.Over() != (o != engine.Ongoing && o.Reason != engine.Blocked) {
		d.Addf("%s: Over %t, outcome %v", p, p.Over(), o)
	}
}

// TestEvaluateLaws applies checkScore.
func TestEvaluateLaws(t *testing.T) { checkPositions(t, checkScore) }

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
