package encode_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"selfplay/encode"
	"selfplay/engine"
	"selfplay/engine/chess"
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

// TestChessReservesCastlingWithOtherRooks: 1 is a rook on the corner file, 2 to 7 name another file,
// which standard chess refuses, and no right has another value.
func TestChessReservesCastlingWithOtherRooks(t *testing.T) {
	l := encode.Chess().Layouts[0]
	start := l.Values(nil, l.Encode(nil, chess.New()))
	for element := 64; element < 68; element++ {
		for value, want := range []string{"", "", "ARRAY_UNSUPPORTED", "ARRAY_UNSUPPORTED", "ARRAY_UNSUPPORTED", "ARRAY_UNSUPPORTED", "ARRAY_UNSUPPORTED", "ARRAY_UNSUPPORTED", "ARRAY_RANGE"} {
			array := slices.Clone(start)
			array[element] = value
			_, err := l.Text(array, engine.First, true)
			var fault *engine.TextError
			if errors.As(err, &fault); (err != nil) != (want != "") || err != nil && fault.Kind != want {
				t.Errorf("element %d is %d: %v, want %q", element, value, err, want)
			}
		}
	}
}
