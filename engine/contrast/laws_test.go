package contrast_test

import (
	"slices"
	"testing"

	"selfplay/engine"
	"selfplay/engine/contrast"
	"selfplay/engine/enginetest"
)

// TestLaws starts games from every tenth state of the data, from the states with the
// longest lists (full and empty hands, reached goals and blocked sides among them),
// and from boards that no game leads to.
func TestLaws(t *testing.T) {
	starts := []string{
		nearlyBlocked,
		crowded,
		"0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,3,1,3,1 x",
		"3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,0,0,0,0,0,0,0,3,1 x",
	}
	for i, s := range states(t) {
		if i%10 == 0 || s.N > 480 {
			starts = append(starts, s.text())
		}
	}
	enginetest.Run(t, contrast.Game(), starts)
}

const (
	// Black has one piece with one target.
	nearlyBlocked = "0,0,0,0,0,0,0,0,0,0,3,6,0,0,0,6,0,0,0,0,0,0,0,0,0,3,1,1,0 x"
	// Every piece stands on a gray tile, and most other cells have one.
	crowded = "5,5,5,5,5,2,0,2,0,2,2,2,2,2,2,2,0,2,0,2,8,8,8,8,8,3,1,3,1 o"
)

func FuzzNotation(f *testing.F) {
	seeds := []string{"", contrast.StartText + " "}
	for i, s := range states(f) {
		if i%20 == 0 {
			seeds = append(seeds, s.text())
		}
	}
	enginetest.FuzzText(f, contrast.Game(), seeds)
}

// FuzzParseMove: no text makes ParseMove panic, and an accepted text is what
// FormatMove writes.
func FuzzParseMove(f *testing.F) {
	for _, text := range []string{"a5,a4 -1", "a5,a4 c3b", "a1,a2 c3g", "c5,c4 c5g", "a5,a4 c3", "a5,a4 ", "a5,a4 -1b", ""} {
		f.Add(text)
	}
	p := contrast.New()
	f.Fuzz(func(t *testing.T, text string) {
		if m, err := p.ParseMove(text); err == nil && p.FormatMove(m) != text {
			t.Errorf("%q parses, but formats as %q", text, p.FormatMove(m))
		}
	})
}

// checkCaptures compares Captures with the base moves that win at once, and Gain with
// whether a move wins.
func checkCaptures(d *enginetest.Differences, p *contrast.Position) {
	d.T.Helper()
	var want []engine.Move
	side := p.Turn()
	for _, move := range p.Moves(nil) {
		p.Do(move)
		wins := p.Outcome() == engine.Outcome{Result: engine.Win(side), Reason: engine.Goal}
		p.Undo()
		if wins && contrast.Unpack(move).Tile == 0 {
			want = append(want, move)
		}
		if wins != (p.Gain(move) > 0) {
			d.Addf("%s: %s has Gain %d", p, p.FormatMove(move), p.Gain(move))
		}
	}
	got := p.Captures([]engine.Move{7})
	if got[0] != 7 || !slices.Equal(got[1:], want) {
		d.Addf("%s: captures %v, want %v", p, got[1:], want)
	}
}

// TestCaptures: Captures lists the winning base moves in the order of Moves.
func TestCaptures(t *testing.T) {
	checkPositions(t, func(d *enginetest.Differences, _ string, p *contrast.Position) { checkCaptures(d, p) })
}

func BenchmarkCaptures(b *testing.B) {
	list, found := make([]engine.Move, 0, 64), 0
	positions := benchPositions(b, func(p *contrast.Position) {
		list = p.Captures(list[:0])
		found += len(list)
	})
	b.ReportMetric(float64(found)/float64(positions), "captures/position")
}

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
