package encode_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"selfplay/encode"
	"selfplay/engine"
	"selfplay/engine/chess"
)

// chessAt returns the position of a FEN after some moves.
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

// TestChessRepetitionsAreCounted: the compact array and the planes count earlier occurrences.
func TestChessRepetitionsAreCounted(t *testing.T) {
	g := encode.Chess()
	compact, planes := &g.Layouts[0], &g.Layouts[1]
	p := chess.New()
	for times := range 3 {
		if got := int(compact.Encode(nil, p)[70]); got != times {
			t.Errorf("repetitions is %d, want %d", got, times)
		}
		values := planes.Encode(nil, p)
		for i, e := range planes.Elements {
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

// TestChessEnPassantNeedsALegalCapture: after e2e4 no pawn can capture on e3.
func TestChessEnPassantNeedsALegalCapture(t *testing.T) {
	compact := encode.Chess().Layouts[0]
	if got := compact.Encode(nil, chessAt(t, chess.StartText, "e2e4"))[68]; got != 0 {
		t.Errorf("en_passant is %d after e2e4, want 0", got)
	}
	if got := compact.Encode(nil, chessAt(t, "r3k2r/8/8/8/pP6/8/7n/4K2R b Kq b3 0 60"))[68]; got != 2 {
		t.Errorf("en_passant is %d, want 2 for file b", got)
	}
}

// withoutMoveNumber removes the full-move number, which the array does not keep.
func withoutMoveNumber(fen string) string { return fen[:strings.LastIndexByte(fen, ' ')] }

func TestChessBoardsDecodeToTheirText(t *testing.T) {
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

func TestChessDecodeRefusesInvalidArrays(t *testing.T) {
	layout := encode.Chess().Layouts[0]
	start := layout.Encode(nil, chess.New())
	for _, c := range []struct {
		name    string
		element int
		value   byte
	}{
		{"an unknown piece", 30, 13},
		{"a third king", 30, 6},
		{"a pawn on the first rank", 63, 1},
		{"a right of 2", 64, 2},
		{"a right without a rook", 63, 0},
		{"no pawn to capture en passant", 68, 5},
		{"an en passant file off the board", 68, 9},
		{"three repetitions", 70, 3},
		{"a reserved element of 1", 71, 1},
	} {
		values := slices.Clone(start)
		values[c.element] = c.value
		if text, err := layout.Decode(values, engine.First); err == nil {
			t.Errorf("%s: decoded as %s", c.name, text)
		}
	}
	if _, err := layout.Decode(start[:64], engine.First); err == nil {
		t.Error("64 elements: no error")
	}
}

func TestChessNumbersOfKnownMoves(t *testing.T) {
	const promoting = "3r1r2/4P3/8/8/8/2k5/4p3/K2R1R2 "
	for _, c := range []struct {
		text, move string
		want       uint16
	}{
		// from*73 + plane: e2 is cell 52, two cells north is plane 1.
		{chess.StartText, "e2e4", 52*73 + 1},
		// g1 is cell 62, the knight move north-north-west is plane 63.
		{chess.StartText, "g1f3", 62*73 + 63},
		// e1 is cell 60; the king castles two cells east (14+1) or west (42+1).
		{"4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1", 60*73 + 15},
		{"4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1c1", 60*73 + 43},
		// e7 is cell 12: ahead to a queen is plane 0, to a knight 64 + 1; capturing to the
		// left to a bishop 67, to the right to a rook 72.
		{promoting + "w - - 0 1", "e7e8q", 12 * 73},
		{promoting + "w - - 0 1", "e7e8n", 12*73 + 65},
		{promoting + "w - - 0 1", "e7d8b", 12*73 + 67},
		{promoting + "w - - 0 1", "e7f8r", 12*73 + 72},
		// e2 is cell 52: left is towards file a for black too, so a capture to the left that
		// makes a queen is south-west, plane 35.
		{promoting + "b - - 0 1", "e2d1q", 52*73 + 35},
		{promoting + "b - - 0 1", "e2d1n", 52*73 + 64},
		{promoting + "b - - 0 1", "e2f1r", 52*73 + 72},
	} {
		p := chessAt(t, c.text)
		m, err := p.ParseMove(c.move)
		if err != nil {
			t.Fatal(err)
		}
		if got := encode.Chess().Actions.Number(m); got != c.want {
			t.Errorf("%s in %s: number %d, want %d", c.move, c.text, got, c.want)
		}
	}
}

// TestChessRowsAsNumbers: the board and the action of a row are the position and the step.
func TestChessRowsAsNumbers(t *testing.T) {
	g := encode.Chess()
	for _, start := range append([]string{""}, g.Samples...) {
		p, src := chess.New(), rand.NewPCG(4, 9)
		if err := engine.Begin(p, start); err != nil {
			t.Fatal(err)
		}
		for range 60 {
			want := p.Parts()
			got, err := encode.ChessParts(g.Layouts[0].Encode(nil, p), p.Turn())
			want.FullMove = 1
			if err != nil || got != want {
				t.Fatalf("%s: %+v, want %+v, %v", p, got, want, err)
			}
			for _, m := range p.Moves(nil) {
				if s, err := encode.ChessStep(got.Cells[:], g.Actions.Number(m)); err != nil || s != chess.Unpack(m) {
					t.Fatalf("%s: %s is %+v, %v", p, p.FormatMove(m), s, err)
				}
			}
			if _, ok := p.DoRandom(src); !ok {
				break
			}
		}
	}
	if _, err := encode.ChessStep(make([]uint8, 64), 4672); err == nil {
		t.Error("action 4672 has a step")
	}
}
