package chess_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"selfplay/engine"
	"selfplay/engine/chess"
	"selfplay/engine/enginetest"
)

// eachPosition visits the positions of random games and of testdata.
func eachPosition(t testing.TB, games int, look func(p *chess.Position)) {
	t.Helper()
	p, src := chess.New(), rand.NewPCG(11, 12)
	for range games {
		p.Reset()
		for ok := true; ok; _, ok = p.DoRandom(src) {
			look(p)
		}
	}
	for _, text := range perftTexts(t) {
		look(at(t, text))
	}
}

// TestEvaluateIsSymmetric: a position and its flipped position have the same score.
func TestEvaluateIsSymmetric(t *testing.T) {
	q := chess.New()
	eachPosition(t, 30, func(p *chess.Position) {
		if err := q.Set(flipText(p.String())); err != nil {
			t.Fatal(err)
		}
		if p.Evaluate() != q.Evaluate() {
			t.Fatalf("%s: score %d, flipped %d", p, p.Evaluate(), q.Evaluate())
		}
	})
}

// TestEvaluateDependsOnText: the score is a function of the text, Over agrees with
// Outcome, and extreme material stays within MaxStatic.
func TestEvaluateDependsOnText(t *testing.T) {
	q := chess.New()
	eachPosition(t, 30, func(p *chess.Position) {
		if err := q.Set(p.String()); err != nil {
			t.Fatal(err)
		}
		if p.Evaluate() != q.Evaluate() {
			t.Fatalf("%s: score %d as played, %d as read", p, p.Evaluate(), q.Evaluate())
		}
		if over := p.Outcome() != engine.Ongoing; over != (p.Over() || p.Count() == 0) {
			t.Fatalf("%s: Over %t, outcome %v", p, p.Over(), p.Outcome())
		}
	})
	for _, text := range []string{"QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/8/5q2/K6k w - - 0 1"} {
		if err := q.Set(text); err == nil && max(q.Evaluate(), -q.Evaluate()) > engine.MaxStatic {
			t.Errorf("%s: score %d exceeds MaxStatic", text, q.Evaluate())
		}
	}
}

func TestEvaluatePrefers(t *testing.T) {
	for _, c := range []struct{ name, better, worse string }{
		{"queen over rook", "4k3/8/8/8/8/8/8/Q3K3 w - - 0 1", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1"},
		{"central knight", "4k3/8/8/8/4N3/8/8/4K3 w - - 0 1", "4k3/8/8/8/8/8/8/N3K3 w - - 0 1"},
		{"advanced pawn", "4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "4k3/8/8/8/8/8/P7/4K3 w - - 0 1"},
		{"bishop pair", "4k3/8/8/8/8/8/8/2B1KB2 w - - 0 1", "4k3/8/8/8/8/8/8/2B1KN2 w - - 0 1"},
		{"castled king in the opening", "rnbq1rk1/pppp1ppp/8/8/8/8/PPPP1PPP/RNBQ1RK1 w - - 0 1", "rnbq1rk1/pppp1ppp/8/8/4K3/8/PPPP1PPP/RNBQ1R2 w - - 0 1"},
		{"central king in the endgame", "8/p3k3/8/8/4K3/8/P7/8 w - - 0 1", "8/p3k3/8/8/8/8/P7/6K1 w - - 0 1"},
	} {
		if b, w := at(t, c.better).Evaluate(), at(t, c.worse).Evaluate(); b <= w {
			t.Errorf("%s: score %d, want more than %d", c.name, b, w)
		}
	}
}

// TestScoresAreFrozen compares scores and sums of gains with the golden file.
// Datasets depend on them.
func TestScoresAreFrozen(t *testing.T) {
	var b strings.Builder
	for _, text := range perftTexts(t) {
		p := at(t, text)
		gains := 0
		for _, m := range p.Moves(nil) {
			gains += p.Gain(m)
		}
		fmt.Fprintf(&b, "%6d %6d %s\n", p.Evaluate(), gains, text)
	}
	enginetest.Golden(t, "testdata/scores.txt", b.String(), "Scores differ: a change is a new version of every player that searches")
}

func BenchmarkEvaluate(b *testing.B) { benchPositions(b, func(p *chess.Position) { p.Evaluate() }) }
