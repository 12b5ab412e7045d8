package encode_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"selfplay/encode"
	"selfplay/engine"
	"selfplay/engine/chess"
)

// chessAt returns the position of a text after some moves.
func chessAt(t *testing.T, text string, moves ...string) *chess.Position {
	t.Helper()
	p := chess.New()
	if err := p.Set(text); err != nil {
		t.Fatal(err)
	}
	for _, move := range moves {
		m, err := p.ParseMove(move)
		if err != nil {
			t.Fatal(err)
		}
		p.Do(m)
	}
	return p
}

func TestChessBoardsAreFrozen(t *testing.T) {
	layout := encode.Chess().Layouts[0]
	if layout.Len() != 72 || layout.Kind != encode.Uint8 {
		t.Errorf("%d elements of %v, want 72 of uint8", layout.Len(), layout.Kind)
	}
	shuffle := []string{"g1f3", "g8f6", "f3g1", "f6g8"}
	var b strings.Builder
	for _, p := range []*chess.Position{
		chess.New(),
		chessAt(t, chess.StartText, "e2e4"), // nothing can be taken on e3
		chessAt(t, "r3k2r/8/8/8/pP6/8/7n/4K2R b Kq b3 0 60"),
		chessAt(t, "8/8/4k3/8/8/3K4/8/6R1 b - - 99 60"),
		chessAt(t, chess.StartText, shuffle...),
		chessAt(t, chess.StartText, slices.Concat(shuffle, shuffle)...),
	} {
		list := layout.Encode(nil, p)
		fmt.Fprintln(&b, p)
		for cell := 0; cell < 64; cell += 8 {
			fmt.Fprintf(&b, "%3d\n", list[cell:cell+8])
		}
		fmt.Fprintf(&b, "%3d\n\n", list[64:])
	}
	golden(t, "chess_boards.txt", b.String())
}

// withoutMoveNumber cuts off the full-move number, which the array does not keep.
func withoutMoveNumber(fen string) string { return fen[:strings.LastIndexByte(fen, ' ')] }

func TestChessBoardsDecode(t *testing.T) {
	layout := encode.Chess().Layouts[0]
	p, src := chess.New(), rand.NewPCG(4, 4)
	for range 30 {
		p.Reset()
		for ok := true; ok; _, ok = p.DoRandom(src) {
			got, err := layout.Decode(layout.Encode(nil, p), p.Turn())
			if err != nil || withoutMoveNumber(got) != withoutMoveNumber(p.String()) {
				t.Fatalf("decode(encode(%s)) = %s, %v", p, got, err)
			}
		}
	}
}

func TestChessDecodeRefuses(t *testing.T) {
	layout := encode.Chess().Layouts[0]
	start := layout.Encode(nil, chess.New())
	for _, c := range []struct {
		name    string
		element int
		value   byte
	}{
		{"a piece beyond the table", 30, 13},
		{"a third king", 30, 6},
		{"a pawn on the first rank", 63, 1},
		{"a right that is not 0 or 1", 64, 2},
		{"a right without a rook", 63, 0},
		{"nothing to take en passant", 68, 5},
		{"a file beyond the board", 68, 9},
		{"three repetitions", 70, 3},
		{"the reserved element", 71, 1},
	} {
		values := slices.Clone(start)
		values[c.element] = c.value
		if text, err := layout.Decode(values, engine.First); err == nil {
			t.Errorf("%s: decoded as %s", c.name, text)
		}
	}
	if _, err := layout.Decode(start[:64], engine.First); err == nil {
		t.Error("a short board: no error")
	}
}

func TestChessActionNumbers(t *testing.T) {
	const promoting = "3r1r2/4P3/8/8/8/2k5/4p3/K2R1R2 "
	for _, c := range []struct {
		text, move string
		want       uint16
	}{
		// from*73 + plane: e2 is cell 52, two cells north is plane 1.
		{chess.StartText, "e2e4", 52*73 + 1},
		// g1 is cell 62, the knight's leap north-north-west is plane 63.
		{chess.StartText, "g1f3", 62*73 + 63},
		// e1 is cell 60; the king castles two cells east (14+1) or west (42+1).
		{"4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1", 60*73 + 15},
		{"4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1c1", 60*73 + 43},
		// e7 is cell 12: straight on to a queen is plane 0, to a knight 64 + 1; taking
		// to the left a bishop 67, to the right a rook 72.
		{promoting + "w - - 0 1", "e7e8q", 12 * 73},
		{promoting + "w - - 0 1", "e7e8n", 12*73 + 65},
		{promoting + "w - - 0 1", "e7d8b", 12*73 + 67},
		{promoting + "w - - 0 1", "e7f8r", 12*73 + 72},
		// e2 is cell 52: left is the a-side for black too; north-west seen from white
		// is 49, so south-west to a queen is 35.
		{promoting + "b - - 0 1", "e2d1q", 52*73 + 35},
		{promoting + "b - - 0 1", "e2d1n", 52*73 + 64},
		{promoting + "b - - 0 1", "e2f1r", 52*73 + 72},
	} {
		p := chessAt(t, c.text)
		m, err := p.ParseMove(c.move)
		if err != nil {
			t.Fatal(err)
		}
		if got := encode.Chess().Actions.Number(p, m); got != c.want {
			t.Errorf("%s in %s: number %d, want %d", c.move, c.text, got, c.want)
		}
	}
}

// TestChessActionsOfPromotions: random play seldom promotes.
func TestChessActionsOfPromotions(t *testing.T) {
	game := encode.Chess()
	for _, text := range []string{
		"3r1r2/4P3/8/8/8/2k5/4p3/K2R1R2 w - - 0 1",
		"3r1r2/4P3/8/8/8/2k5/4p3/K2R1R2 b - - 0 1",
		"n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
		"n1n5/PPPk4/8/8/8/8/4Kppp/5N1N w - - 0 1",
	} {
		p := chessAt(t, text)
		checkActions(t, &game, p)
		checkEveryNumber(t, &game, p)
	}
}

func TestChessPlanesShowRepetitions(t *testing.T) {
	game := encode.Chess()
	layout, err := game.Layout("planes")
	if err != nil {
		t.Fatal(err)
	}
	p := chess.New()
	for times := range 3 {
		values := layout.Encode(nil, p)
		for i, e := range layout.Elements {
			if strings.HasPrefix(e.Name, "repeated_") {
				want := times >= int(e.Name[len(e.Name)-1]-'0')
				if got := values[8*i] != 0; got != want {
					t.Errorf("%d times before: plane %s is %t", times, e.Name, got)
				}
			}
		}
		for _, move := range []string{"g1f3", "g8f6", "f3g1", "f6g8"} {
			m, _ := p.ParseMove(move)
			p.Do(m)
		}
	}
}
