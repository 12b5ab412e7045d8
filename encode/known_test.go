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
	"selfplay/engine/contrast"
	"selfplay/engine/cotulenh"
	"selfplay/engine/enginetest"
	"selfplay/internal/must"
)

// gameNamed returns the game with a name.
func gameNamed(t testing.TB, name string) encode.Game {
	t.Helper()
	g := must.Get(encode.Games().Find(name))(t)
	return g
}

// positionOf returns the position of a text.
func positionOf(t testing.TB, game, text string) engine.Position {
	t.Helper()
	g := gameNamed(t, game)
	p := g.New("")
	must.Do(t, p.Set(text))
	return p
}

func TestNumbersOfKnownMoves(t *testing.T) {
	const promoting = "3r1r2/4P3/8/8/8/2k5/4p3/K2R1R2 "
	const open = "10c/11/11/11/11/11/11/11/2(NF)1T6/11/11/3C7 r - - 6 1 c4:(NF):e4"
	for _, c := range []struct {
		game, text, move string
		want             uint16
	}{
		// from*73 + plane: e2 is cell 52, two cells north is plane 1.
		{"chess", chess.StartText, "e2e4", 52*73 + 1},
		// g1 is cell 62, the knight move north-north-west is plane 63.
		{"chess", chess.StartText, "g1f3", 62*73 + 63},
		// e1 is cell 60; the king castles two cells east (14+1) or west (42+1).
		{"chess", "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1", 60*73 + 15},
		{"chess", "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1c1", 60*73 + 43},
		// e7 is cell 12: ahead to a queen is plane 0, to a knight 64 + 1; capturing to the
		// left to a bishop 67, to the right to a rook 72.
		{"chess", promoting + "w - - 0 1", "e7e8q", 12 * 73},
		{"chess", promoting + "w - - 0 1", "e7e8n", 12*73 + 65},
		{"chess", promoting + "w - - 0 1", "e7d8b", 12*73 + 67},
		{"chess", promoting + "w - - 0 1", "e7f8r", 12*73 + 72},
		// e2 is cell 52: left is towards file a for black too, so a capture to the left that
		// makes a queen is south-west, plane 35.
		{"chess", promoting + "b - - 0 1", "e2d1q", 52*73 + 35},
		{"chess", promoting + "b - - 0 1", "e2d1n", 52*73 + 64},
		{"chess", promoting + "b - - 0 1", "e2f1r", 52*73 + 72},
		// ((from*84 + ray)*5 + part): c5 is cell 79, one step north is ray 0.
		{"cotulenh", cotulenh.StartText, "Ic5c6", 79 * 84 * 5},
		// g1 is cell 127, three steps west are ray 33+2.
		{"cotulenh", cotulenh.StartText, "Cg1d1", (127*84 + 35) * 5},
		// c4 is cell 90; F is slot 1 of (NF): part 3; north-east by one is ray 54.
		{"cotulenh", open, "Fc4>d5", (90*84+54)*5 + 3},
		{"cotulenh", open, "commit", 55440},
		// A heroic commander also moves along diagonals: c1 is cell 123, eight steps
		// north-east are ray 54+7. The infantry blocks the other commander's line to d2.
		{"cotulenh", "3c7/3i7/11/11/11/11/11/11/11/11/11/2+C8 r - - 0 1", "+Cc1k9", (123*84 + 61) * 5},
		// (from*25 + to)*51 + t: a5 is 0, a4 is 5, c3 is 12.
		{"contrast", contrast.StartText, "a5,a4 -1", (0*25 + 5) * 51},
		{"contrast", contrast.StartText, "a5,a4 c3b", (0*25+5)*51 + 1 + 12},
		{"contrast", contrast.StartText, "a5,a4 c3g", (0*25+5)*51 + 26 + 12},
	} {
		m := must.Get(positionOf(t, c.game, c.text).ParseMove(c.move))(t)
		if got := gameNamed(t, c.game).Actions.Number(m); got != c.want {
			t.Errorf("%s in %s: number %d, want %d", c.move, c.text, got, c.want)
		}
	}
	for name, want := range map[string]int{"chess": 4672, "cotulenh": 55441, "contrast": 31875} {
		if n := gameNamed(t, name).Actions.Count; n != want {
			t.Errorf("%s: %d actions, want %d", name, n, want)
		}
	}
}

// TestBoardsDecodeToTheirText. The array of chess does not keep the full-move number, the last
// field of a FEN. For CoTuLenh see TestCoTuLenhBoardsDecodeToTheirText.
func TestBoardsDecodeToTheirText(t *testing.T) {
	whole := func(text string) string { return text }
	withoutMoveNumber := func(fen string) string { return fen[:strings.LastIndexByte(fen, ' ')] }
	for name, kept := range map[string]func(text string) string{"chess": withoutMoveNumber, "contrast": whole} {
		g, src := gameNamed(t, name), rand.NewPCG(4, 4)
		p, layout := g.New(""), g.Layouts[0]
		for range 50 {
			p.Reset()
			for ok := true; ok; _, ok = p.DoRandom(src) {
				got, err := layout.Decode(layout.Encode(nil, p), p.Turn())
				if err != nil || kept(got) != kept(p.String()) {
					t.Fatalf("decode(encode(%s)) = %s, %v", p, got, err)
				}
			}
		}
	}
}

// TestArrays: the positions of arrays of integers, or why there are none. The array of a question
// is that of the first position of a game, with changes.
func TestArrays(t *testing.T) {
	enginetest.Conversation(t, "testdata/arrays.txt", "Find out why arrays are read otherwise", func(question string) string {
		words := strings.Fields(question)
		g := gameNamed(t, words[0])
		layout := g.Layouts[0]
		array := layout.Values(nil, layout.Encode(nil, g.New("")))
		for _, change := range words[1:] {
			array = changed(t, array, change)
		}
		text, err := layout.Text(array, engine.First, slices.Contains(words, "strict"))
		if err != nil {
			return err.Error()
		}
		return text
	})
}

// changed returns an array after a change: 12=1 sets an element, :25 keeps the first 25.
func changed(t *testing.T, array []int, change string) []int {
	t.Helper()
	var at, value int
	if n, _ := fmt.Sscanf(change, "%d=%d", &at, &value); n == 2 {
		array[at] = value
	} else if n, _ := fmt.Sscanf(change, ":%d", &at); n == 1 {
		return array[:at]
	} else if change != "strict" {
		t.Fatalf("unknown change %q", change)
	}
	return array
}

func TestDecodeRefusesArraysThatAreTooShort(t *testing.T) {
	for game, size := range map[string]int{"chess": 64, "contrast": 25, "cotulenh": 100} {
		g := gameNamed(t, game)
		layout := g.Layouts[0]
		if _, err := layout.Decode(layout.Encode(nil, g.New(""))[:size], engine.First); err == nil {
			t.Errorf("%s: %d bytes: no error", game, size)
		}
	}
}
