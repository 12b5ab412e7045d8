package encode_test

import (
	"bufio"
	"compress/gzip"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"selfplay/encode"
	"selfplay/engine"
	"selfplay/engine/cotulenh"
)

// vectorPositions returns the texts of the conformance states of the engine: all
// traps of the rule book, 42 % of them in an open session.
func vectorPositions(tb testing.TB) (texts []string) {
	tb.Helper()
	f, err := os.Open("../engine/cotulenh/testdata/states.jsonl.gz")
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		tb.Fatal(err)
	}
	for lines := json.NewDecoder(bufio.NewReader(z)); lines.More(); {
		var state struct{ Position string }
		if err := lines.Decode(&state); err != nil {
			tb.Fatal(err)
		}
		texts = append(texts, state.Position)
	}
	return texts
}

// elements returns the numbers of a board.
func elements(values []byte) []uint16 {
	list := make([]uint16, len(values)/2)
	for i := range list {
		list[i] = binary.LittleEndian.Uint16(values[2*i:])
	}
	return list
}

func TestCoTuLenhCompactHas138Elements(t *testing.T) {
	layout := encode.CoTuLenh().Layouts[0]
	if layout.Len() != 138 || layout.Kind != encode.Uint16 {
		t.Errorf("%d elements of %v, want 138 of uint16", layout.Len(), layout.Kind)
	}
	if n := len(layout.Encode(nil, cotulenh.New())); n != 2*138 {
		t.Errorf("%d bytes, want %d", n, 2*138)
	}
}

func TestCoTuLenhStackCodesAreFrozen(t *testing.T) {
	var b strings.Builder
	for code := range cotulenh.NumStacks {
		fmt.Fprintf(&b, "%d %s\n", code, cotulenh.Stack(code))
	}
	golden(t, "cotulenh_stacks.txt", b.String())
}

func TestCoTuLenhBoardsAreFrozen(t *testing.T) {
	layout := encode.CoTuLenh().Layouts[0]
	var b strings.Builder
	for _, text := range []string{
		cotulenh.StartText,
		"10c/11/11/11/11/11/11/11/2(NF)1T6/11/11/3C7 r - - 6 1 c4:(NF):e4",
		"2(NFM)8/11/11/11/(NFC)10/5f5/9(+es)1/3+h7/3c7/9AT/11/4hI5 b - - 7 8 d5:+H:d4",
	} {
		p := cotulenh.New()
		if err := p.Set(text); err != nil {
			t.Fatal(err)
		}
		list := elements(layout.Encode(nil, p))
		fmt.Fprintln(&b, text)
		for cell := 0; cell < 132; cell += 11 {
			fmt.Fprintf(&b, "%4d\n", list[cell:cell+11])
		}
		fmt.Fprintf(&b, "%4d\n\n", list[132:])
	}
	golden(t, "cotulenh_boards.txt", b.String())
}

func TestCoTuLenhBoardsDecode(t *testing.T) {
	layout := encode.CoTuLenh().Layouts[0]
	p := cotulenh.New()
	for _, text := range vectorPositions(t) {
		if err := p.Set(text); err != nil {
			t.Fatal(err)
		}
		if got, err := layout.Decode(layout.Encode(nil, p), p.Turn()); err != nil || got != text {
			t.Errorf("decode(encode(%s)) = %s, %v", text, got, err)
		}
	}
}

func TestCoTuLenhDecodeRefuses(t *testing.T) {
	layout := encode.CoTuLenh().Layouts[0]
	start := layout.Encode(nil, cotulenh.New())
	for _, c := range []struct {
		name    string
		element int
		value   uint16
	}{
		{"a code beyond the table", 60, cotulenh.NumStacks},
		{"a ship on land", 60, elements(start)[12]},
		{"a second commander", 60, elements(start)[6]},
		{"a full-move number of 0", 133, 0},
		{"an origin beyond the board", 134, 133},
		{"members without an origin", 135, 1},
		{"an origin with nothing on it", 134, 61},
		{"a landed square without an origin", 136, 61},
	} {
		values := append([]byte(nil), start...)
		binary.LittleEndian.PutUint16(values[2*c.element:], c.value)
		if text, err := layout.Decode(values, engine.First); err == nil {
			t.Errorf("%s: decoded as %s", c.name, text)
		}
	}
	if _, err := layout.Decode(start[:100], engine.First); err == nil {
		t.Error("a short board: no error")
	}
}

func TestCoTuLenhActionNumbers(t *testing.T) {
	const open = "10c/11/11/11/11/11/11/11/2(NF)1T6/11/11/3C7 r - - 6 1 c4:(NF):e4"
	for _, c := range []struct {
		position, move string
		want           uint16
	}{
		// ((from*84 + ray)*5 + what): c5 is cell 79, one step north is ray 0.
		{cotulenh.StartText, "Ic5c6", 79 * 84 * 5},
		// g1 is cell 127, three steps west are ray 33+2.
		{cotulenh.StartText, "Cg1d1", (127*84 + 35) * 5},
		// c4 is cell 90; F is slot 1 of (NF): what 3; north-east by one is ray 54.
		{open, "Fc4>d5", (90*84+54)*5 + 3},
		{open, "commit", 55440},
		// A heroic commander slides along the diagonals too: c1 is cell 123, eight
		// steps north-east are ray 54+7. The infantry keeps the other commander from
		// barring d2.
		{"3c7/3i7/11/11/11/11/11/11/11/11/11/2+C8 r - - 0 1", "+Cc1k9", (123*84 + 61) * 5},
	} {
		p := cotulenh.New()
		if err := p.Set(c.position); err != nil {
			t.Fatal(err)
		}
		m, err := p.ParseMove(c.move)
		if err != nil {
			t.Fatal(err)
		}
		if got := encode.CoTuLenh().Actions.Number(p, m); got != c.want {
			t.Errorf("%s in %s: number %d, want %d", c.move, c.position, got, c.want)
		}
	}
	if n := encode.CoTuLenh().Actions.Count; n != 55441 {
		t.Errorf("%d actions, want 55441", n)
	}
}

// TestCoTuLenhActionsOfTheVectors: the positions of the rule book's traps, in which
// random play seldom gets.
func TestCoTuLenhActionsOfTheVectors(t *testing.T) {
	game, p := encode.CoTuLenh(), cotulenh.New()
	for _, text := range vectorPositions(t) {
		if err := p.Set(text); err != nil {
			t.Fatal(err)
		}
		checkActions(t, &game, p)
	}
}

func TestCoTuLenhEveryNumberInASession(t *testing.T) {
	game, p := encode.CoTuLenh(), cotulenh.New()
	if err := p.Set("10c/11/11/11/11/11/11/11/2(NF)1T6/11/11/3C7 r - - 6 1 c4:(NF):e4"); err != nil {
		t.Fatal(err)
	}
	checkEveryNumber(t, &game, p)
}

func BenchmarkCoTuLenhEncode(b *testing.B) {
	layout := encode.CoTuLenh().Layouts[0]
	p := cotulenh.New()
	var dst []byte
	b.ReportAllocs()
	for b.Loop() {
		dst = layout.Encode(dst[:0], p)
	}
}
