package chess_test

import (
	"fmt"
	"strings"
	"testing"

	"selfplay/engine/chess"
	"selfplay/engine/enginetest"
	"selfplay/internal/must"
)

// eachPosition visits the positions of testdata and of random games.
func eachPosition(t testing.TB, games int, look func(p *chess.Position)) {
	t.Helper()
	enginetest.EachPosition(t, chess.New(), perftTexts(t), games, enginetest.Uniform, look)
}

// TestEvaluateIsSymmetric: a position and its flipped position have the same score.
func TestEvaluateIsSymmetric(t *testing.T) {
	q := chess.New()
	eachPosition(t, 30, func(p *chess.Position) {
		must.Do(t, q.Set(flipText(p.String())))
		if p.Evaluate() != q.Evaluate() {
			t.Fatalf("%s: score %d, flipped %d", p, p.Evaluate(), q.Evaluate())
		}
	})
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
