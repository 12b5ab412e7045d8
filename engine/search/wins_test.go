package search_test

import (
	"testing"

	"selfplay/engine"
	"selfplay/engine/chess"
	"selfplay/engine/contrast"
	"selfplay/engine/search"
)

// wins are won positions with the length of the win in plies and the winning move (""
// if several moves win).
var wins = []struct {
	name, text, move string
	plies            int
	game             func() engine.Game
}{
	{"back rank mate", "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", "d1d8", 1, chess.Game},
	{"back rank mate by Black", "3r2k1/5ppp/8/8/8/8/5PPP/6K1 b - - 0 1", "d8d1", 1, chess.Game},
	{"mate on the hundredth ply of the fifty-move clock", "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 99 80", "d1d8", 1, chess.Game},
	{"two-rook mate", "7k/8/8/8/8/8/R7/1R4K1 w - - 0 1", "", 3, chess.Game},
	{"smothered mate", "r5rk/6pp/8/4N3/8/8/6PP/6K1 w - - 0 1", "e5f7", 1, chess.Game},
	{"smothered mate after a queen sacrifice", "1r5k/6pp/7N/8/2Q5/8/6PP/6K1 w - - 0 1", "c4g8", 3, chess.Game},
	{"king and rook mate", "8/8/8/8/8/2k5/7r/K7 b - - 0 1", "", 3, chess.Game},
	{"smothered mate in three", "r5k1/5Npp/8/8/2Q5/8/6PP/6K1 w - - 0 1", "f7h6", 5, chess.Game},
}

func TestAlphaBetaProvesWins(t *testing.T) {
	for _, c := range wins {
		t.Run(c.name, func(t *testing.T) {
			p := parsePosition(t, c.game(), c.text)
			for _, o := range []search.AlphaBetaOptions{{Exact: true}, {Hash: 1, Off: ^search.Feature(0)}} {
				o.Depth = c.plies + 1
				r := search.NewAlphaBeta(o).Search(p, nil)
				if want := search.MateScore - c.plies; r.Score != want {
					t.Errorf("score %d, want %d", r.Score, want)
				}
				if got := p.FormatMove(r.Moves[0].Move); c.move != "" && got != c.move {
					t.Errorf("best move %s, want %s", got, c.move)
				}
				if r.Depth > c.plies {
					t.Errorf("searched to depth %d, but the win is proven at depth %d", r.Depth, c.plies)
				}
			}
		})
	}
}

// In Contrast a piece one row from the goal wins in one ply. A piece two rows away that
// the opponent can neither block nor outrun wins in three.
func TestAlphaBetaProvesGoals(t *testing.T) {
	for _, c := range []struct {
		text  string
		plies int
	}{
		{"0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,3,0,0,0,0,0,0,0,0,6,0,0,0,0 x", 1},
		{"0,0,0,0,0,0,0,0,0,0,0,0,0,0,3,0,0,0,0,0,6,0,0,0,0,0,0,0,0 x", 3},
	} {
		p := parsePosition(t, contrast.Game(), c.text)
		r := search.NewAlphaBeta(search.AlphaBetaOptions{Depth: 4}).Search(p, nil)
		if want := search.MateScore - c.plies; r.Score != want {
			t.Errorf("%s: score %d, want %d", c.text, r.Score, want)
		}
	}
}

func TestFinishedGameHasNoRootMoves(t *testing.T) {
	for _, text := range []string{
		"3R2k1/5ppp/8/8/8/8/5PPP/6K1 b - - 0 1", // checkmate
		"7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",        // stalemate
		"7k/8/6K1/8/8/8/8/8 b - - 0 1",          // insufficient material
	} {
		p := parsePosition(t, chess.Game(), text)
		for name, s := range searchers() {
			if r := s.Search(p, source(1)); len(r.Moves) != 0 || r.Score != 0 || r.Depth != 0 {
				t.Errorf("%s, %s: %+v", name, text, r)
			}
		}
	}
}
