package rows

import (
	"testing"

	"selfplay/encode"
	"selfplay/engine"
)

// TestTextOfChessCountsFullMoves: the array has no move number, the ply gives it. Ply 0 of
// black is that of a game that black begins.
func TestTextOfChessCountsFullMoves(t *testing.T) {
	g := encode.Chess()
	s := New(g, "", 1, false)
	values := s.Layout.Encode(nil, g.New(""))
	for _, c := range []struct {
		turn engine.Side
		ply  int
		want string
	}{
		{engine.First, 0, "w KQkq - 0 1"}, {engine.Second, 1, "b KQkq - 0 1"}, {engine.First, 2, "w KQkq - 0 2"},
		{engine.Second, 119, "b KQkq - 0 60"}, {engine.Second, 0, "b KQkq - 0 1"}, {engine.First, 1, "w KQkq - 0 2"},
	} {
		text, err := s.Text(values, c.turn, c.ply)
		if want := "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR " + c.want; err != nil || text != want {
			t.Errorf("ply %d, side %d: %q, %v, want %q", c.ply, c.turn, text, err, want)
		}
	}
}
