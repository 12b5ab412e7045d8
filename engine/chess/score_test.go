package chess_test

import (
	"math/rand/v2"
	"testing"

	"selfplay/engine"
	"selfplay/engine/chess"
	"selfplay/engine/enginetest"
	"selfplay/internal/must"
)

// TestIncrementalScore: the score that Do and Undo maintain equals the score computed
// from scratch, whatever was played, undone and evaluated in between.
func TestIncrementalScore(t *testing.T) {
	starts := append(perftTexts(t), chess.StartText)
	src := rand.New(rand.NewPCG(21, 22))
	p, fresh := chess.New(), chess.New()
	played := map[string]int{} // moves by kind, played after the first Evaluate
	for game := range 2000 {
		begin(t, p, starts[game%len(starts)])
		evaluated := false
		for depth, step := 0, 0; step < 300; step++ {
			switch n := src.IntN(10); {
			case n < 6:
				list := p.Moves(nil)
				if len(list) == 0 {
					step = 300
					break
				}
				m := list[src.IntN(len(list))]
				if rare := p.Captures(nil); len(rare) > 0 && n < 2 {
					m = rare[src.IntN(len(rare))]
				}
				if evaluated {
					played[moveKind(p, m)]++
				}
				p.Do(m)
				depth++
			case n < 8 && depth > 0:
				p.Undo()
				depth--
			default:
				evaluated = true
				must.Do(t, fresh.Set(p.String()))
				if got, want := p.Evaluate(), fresh.Evaluate(); got != want {
					t.Fatalf("game %d, step %d, %s: incremental score %d, want %d", game, step, p, got, want)
				}
			}
		}
	}
	for _, kind := range []string{"quiet", "capture", "castling", "en passant", "promotion", "promotion with capture"} {
		t.Run(kind, func(t *testing.T) { enginetest.AtLeast(t, played[kind], 30) })
	}
}

// begin sets up a used position: the start by Reset, other texts by Set.
func begin(t *testing.T, p *chess.Position, text string) {
	t.Helper()
	if text == chess.StartText {
		p.Reset()
		return
	}
	must.Do(t, p.Set(text))
}

// moveKind classifies a move.
func moveKind(p *chess.Position, m engine.Move) string {
	s, cells := chess.Unpack(m), p.AppendCells(nil)
	kind, takes := kindOf(cells[s.From]), cells[s.To] != 0
	switch {
	case s.Promotion != 0 && takes:
		return "promotion with capture"
	case s.Promotion != 0:
		return "promotion"
	case kind == 6 && abs(int(s.From)-int(s.To)) == 2:
		return "castling"
	case kind == 1 && s.From%8 != s.To%8 && !takes:
		return "en passant"
	case takes:
		return "capture"
	}
	return "quiet"
}
