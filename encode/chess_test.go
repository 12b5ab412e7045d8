package encode_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"selfplay/encode"
	"selfplay/encode/encodetest"
	"selfplay/engine"
	"selfplay/engine/chess"
	"selfplay/engine/enginetest"
	"selfplay/internal/must"
)

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
	for text, want := range map[string]byte{
		"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1": 0,
		"r3k2r/8/8/8/pP6/8/7n/4K2R b Kq b3 0 60":                      2, // file b
	} {
		if got := compact.Encode(nil, positionOf(t, "chess", text))[68]; got != want {
			t.Errorf("%s: en_passant is %d, want %d", text, got, want)
		}
	}
}

// TestChessRowsAsNumbers: the board and the action of a row are the position and the step.
func TestChessRowsAsNumbers(t *testing.T) {
	g := encode.Chess()
	for _, start := range append([]string{""}, g.Samples...) {
		p, src := chess.New(), rand.NewPCG(4, 9)
		must.Do(t, engine.Begin(p, start))
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

// TestChessArraysNameCastlingRooks: 1 is a rook on the corner file, 2 to 7 name another file. Standard
// chess has only 1, and no right has another value.
func TestChessArraysNameCastlingRooks(t *testing.T) {
	l := encode.Chess().Layouts[0]
	const text = "rr2k1rr/8/8/8/8/8/8/RR2K1RR w %s - 0 1"
	standard := chess.New()
	for element, rights := range []string{"K.....G.", "QB......", "k.....g.", "qb......"} {
		for file, right := range []byte(rights) {
			value := file + 1
			if file == 0 {
				value = 1
			}
			if right == '.' {
				continue
			}
			p := chess.New960()
			must.Do(t, p.Set(fmt.Sprintf(text, string(right))))
			array := l.Values(nil, l.Encode(nil, p))
			if got := array[64:68]; got[element] != value {
				t.Errorf("right %c: %v, want %d as element %d", right, got, value, element)
			}
			got, err := l.Text(array, engine.First, true)
			if err != nil || got != p.String() {
				t.Errorf("right %c: read as %s, %v", right, got, err)
			}
			if err := standard.Set(got); (err == nil) != (value == 1) {
				t.Errorf("right %c in standard chess: %v", right, err)
			}
			for wrong, kind := range map[int]string{4: "FEN_INVALID_CASTLING", 8: "ARRAY_RANGE"} {
				array[64+element] = wrong
				_, err := l.Text(array, engine.First, true)
				var fault *engine.TextError
				if !errors.As(err, &fault) || fault.Kind != kind {
					t.Errorf("right %c as %d: %v, want %s", right, wrong, err, kind)
				}
			}
		}
	}
}

// TestChess960ObeysTheLaws, with castling rights of all kinds.
func TestChess960ObeysTheLaws(t *testing.T) {
	g := encode.Chess()
	g.Variants, g.Samples = []string{chess.Chess960}, nil
	var rows []struct{ FEN string }
	enginetest.ReadJSON(t, "../engine/chess/testdata/chess960.json.gz", &rows)
	p := chess.New960()
	for _, row := range rows[900:] {
		must.Do(t, p.Set(row.FEN))
		g.Samples = append(g.Samples, p.String())
	}
	encodetest.Run(t, g)
}

// TestChess960Castling: the action is the king's move to its rook, and no capture; the planes of a right
// are full for a rook on the corner file, and else show its file.
func TestChess960Castling(t *testing.T) {
	g := encode.Chess()
	p := chess.New960()
	must.Do(t, p.Set("1r3k1r/8/8/8/8/8/8/1R3KR1 w KQkq - 0 1"))
	for move, want := range map[string]uint16{"f1g1": 61*73 + 14, "f1b1": 61*73 + 45} {
		m := must.Get(p.ParseMove(move))(t)
		if got := g.Actions.Number(m); got != want || g.Actions.IsCapture(p, m) {
			t.Errorf("%s is action %d, capture %t, want %d", move, got, g.Actions.IsCapture(p, m), want)
		}
	}
	planes := must.Get(g.Layout(encode.PlanesName))(t).Encode(nil, p)
	for i, want := range []byte{1 << 6, 1 << 1, 0xff, 1 << 1} {
		plane := planes[8*(12+i):][:8]
		if !bytes.Equal(plane, bytes.Repeat([]byte{want}, 8)) {
			t.Errorf("plane %d is %x, want rows of %x", 12+i, plane, want)
		}
	}
}
