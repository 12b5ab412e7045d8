package chess_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"selfplay/engine"
	"selfplay/engine/chess"
	"selfplay/engine/enginetest"
	"selfplay/internal/must"
)

// manyQueens has more material than any game leads to.
const manyQueens = "QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/8/8/6pp/K4bnk w - - 0 1"

func TestLaws(t *testing.T) {
	enginetest.Run(t, chess.Game(), append(perftTexts(t), manyQueens))
}

func FuzzNotation(f *testing.F) {
	seeds := []string{
		"", "8/8/8/8/8/8/8/8 w - - 0 1", "4k3/8/8/8/8/8/8/4K3 w - - 256 0",
		"QQQQQQQk/8/8/8/8/8/8/K7 b - - 0 1",
	}
	enginetest.FuzzText(f, chess.Game(), append(seeds, perftTexts(f)...))
}

// TestCaptures: Captures lists exactly the moves that remove a piece or promote.
func TestCaptures(t *testing.T) {
	captures := 0
	eachPosition(t, 100, func(p *chess.Position) {
		var want []string
		before := countPieces(p)
		for _, m := range p.Moves(nil) {
			p.Do(m)
			promotes := chess.Unpack(m).Promotion != 0
			took := countPieces(p) < before
			p.Undo()
			if took || promotes {
				want = append(want, p.FormatMove(m))
			}
		}
		var got []string
		for _, m := range p.Captures(nil) {
			got = append(got, p.FormatMove(m))
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Fatalf("%s: captures %q, want %q", p, got, want)
		}
		captures += len(want)
	})
	enginetest.AtLeast(t, captures, 20_000)
}

func countPieces(p *chess.Position) (n int) {
	for _, code := range p.AppendCells(nil) {
		if code != 0 {
			n++
		}
	}
	return n
}

func BenchmarkCaptures(b *testing.B) {
	list := make([]engine.Move, 0, 256)
	benchPositions(b, func(p *chess.Position) { list = p.Captures(list[:0]) })
}

// eachPosition visits the positions of testdata and of random games, in both variants.
func eachPosition(t testing.TB, games int, look func(p *chess.Position)) {
	t.Helper()
	enginetest.EachPosition(t, chess.New(), perftTexts(t), games, enginetest.Uniform, look)
	enginetest.EachPosition(t, chess.New960(), later960(t), games/10, enginetest.Uniform, look)
}

// TestEvaluateIsSymmetric: a position and its flipped position have the same score.
func TestEvaluateIsSymmetric(t *testing.T) {
	q := chess.New960()
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
