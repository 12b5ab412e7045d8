package search_test

import (
	"testing"

	"selfplay/engine"
	"selfplay/engine/chess"
	"selfplay/engine/contrast"
	"selfplay/engine/search"
)

// wins are positions with the only good move and how many plies it takes.
var wins = []struct {
	name, text, move string
	plies            int
	game             func() engine.Game
}{
	{"back rank", "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", "d1d8", 1, chess.Game},
	{"back rank, Black", "3r2k1/5ppp/8/8/8/8/5PPP/6K1 b - - 0 1", "d8d1", 1, chess.Game},
	{"mate before fifty moves", "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 99 80", "d1d8", 1, chess.Game},
	{"two rooks", "7k/8/8/8/8/8/R7/1R4K1 w - - 0 1", "", 3, chess.Game},
	{"smothered", "r5rk/6pp/8/4N3/8/8/6PP/6K1 w - - 0 1", "e5f7", 1, chess.Game},
	{"queen first", "1r5k/6pp/7N/8/2Q5/8/6PP/6K1 w - - 0 1", "c4g8", 3, chess.Game},
	{"king and rook", "8/8/8/8/8/2k5/7r/K7 b - - 0 1", "", 3, chess.Game},
	{"smothered in three", "r5k1/5Npp/8/8/2Q5/8/6PP/6K1 w - - 0 1", "f7h6", 5, chess.Game},
}

// TestWins: a proven win is told with its length, at the depth that sees it.
func TestWins(t *testing.T) {
	for _, c := range wins {
		t.Run(c.name, func(t *testing.T) {
			p := set(t, c.game(), c.text)
			for _, hash := range []int{0, 1} {
				a := search.NewAlphaBeta(search.AlphaBetaOptions{Depth: c.plies + 1, Hash: hash}).Search(p, nil)
				if want := search.MateScore - c.plies; a.Score != want {
					t.Errorf("score %d, want %d", a.Score, want)
				}
				if got := p.FormatMove(a.Lines[0].Move); c.move != "" && got != c.move {
					t.Errorf("%s, want %s", got, c.move)
				}
				if a.Depth > c.plies {
					t.Errorf("looked to depth %d, though the end is proven", a.Depth)
				}
			}
		})
	}
}

// TestGoals: in Contrast a piece before the goal row wins in one ply; a piece two
// rows away, which nobody can stop or outrun, in three.
func TestGoals(t *testing.T) {
	for _, c := range []struct {
		text  string
		plies int
	}{
		{"0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,3,0,0,0,0,0,0,0,0,6,0,0,0,0 x", 1},
		{"0,0,0,0,0,0,0,0,0,0,0,0,0,0,3,0,0,0,0,0,6,0,0,0,0,0,0,0,0 x", 3},
	} {
		p := set(t, contrast.Game(), c.text)
		a := search.NewAlphaBeta(search.AlphaBetaOptions{Depth: 4}).Search(p, nil)
		if want := search.MateScore - c.plies; a.Score != want {
			t.Errorf("%s: score %d, want %d", c.text, a.Score, want)
		}
	}
}

// TestMated: where the game is over nothing is found.
func TestMated(t *testing.T) {
	for _, text := range []string{
		"3R2k1/5ppp/8/8/8/8/5PPP/6K1 b - - 0 1", // mate
		"7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",        // stalemate
		"7k/8/6K1/8/8/8/8/8 b - - 0 1",          // no material
	} {
		p := set(t, chess.Game(), text)
		for name, s := range searchers() {
			if a := s.Search(p, source(1)); len(a.Lines) != 0 || a.Score != 0 || a.Depth != 0 {
				t.Errorf("%s, %s: %+v", name, text, a)
			}
		}
	}
}
