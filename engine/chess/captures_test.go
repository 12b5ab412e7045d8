package chess_test

import (
	"slices"
	"testing"

	"selfplay/engine"
	"selfplay/engine/chess"
	"selfplay/engine/enginetest"
)

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
