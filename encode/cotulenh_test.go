package encode_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"selfplay/encode"
	"selfplay/encode/encodetest"
	"selfplay/engine"
	"selfplay/engine/cotulenh"
)

// vectorPositions returns the texts of the engine's conformance states: all special cases
// of the rules, 42 % of them in an open deployment.
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

// elements returns the elements of a board.
func elements(values []byte) []uint16 {
	list := make([]uint16, len(values)/2)
	for i := range list {
		list[i] = binary.LittleEndian.Uint16(values[2*i:])
	}
	return list
}

func TestCoTuLenhBoardsHave138Elements(t *testing.T) {
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
	golden(t, "cotulenh", "stacks.txt", b.String())
}

func TestCoTuLenhBoardsDecodeToTheirText(t *testing.T) {
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

func TestCoTuLenhDecodeRefusesInvalidArrays(t *testing.T) {
	layout := encode.CoTuLenh().Layouts[0]
	start := layout.Encode(nil, cotulenh.New())
	for _, c := range []struct {
		name    string
		element int
		value   uint16
	}{
		{"an unknown code", 60, cotulenh.NumStacks},
		{"a navy on land", 60, elements(start)[12]},
		{"a second commander", 60, elements(start)[6]},
		{"a full-move number of 0", 133, 0},
		{"an origin off the board", 134, 133},
		{"a rest without an origin", 135, 1},
		{"an empty origin", 134, 61},
		{"a landed cell without an origin", 136, 61},
	} {
		values := append([]byte(nil), start...)
		binary.LittleEndian.PutUint16(values[2*c.element:], c.value)
		if text, err := layout.Decode(values, engine.First); err == nil {
			t.Errorf("%s: decoded as %s", c.name, text)
		}
	}
	if _, err := layout.Decode(start[:100], engine.First); err == nil {
		t.Error("100 bytes: no error")
	}
}

func TestCoTuLenhNumbersOfKnownMoves(t *testing.T) {
	const open = "10c/11/11/11/11/11/11/11/2(NF)1T6/11/11/3C7 r - - 6 1 c4:(NF):e4"
	for _, c := range []struct {
		position, move string
		want           uint16
	}{
		// ((from*84 + ray)*5 + part): c5 is cell 79, one step north is ray 0.
		{cotulenh.StartText, "Ic5c6", 79 * 84 * 5},
		// g1 is cell 127, three steps west are ray 33+2.
		{cotulenh.StartText, "Cg1d1", (127*84 + 35) * 5},
		// c4 is cell 90; F is slot 1 of (NF): part 3; north-east by one is ray 54.
		{open, "Fc4>d5", (90*84+54)*5 + 3},
		{open, "commit", 55440},
		// A heroic commander also moves along diagonals: c1 is cell 123, eight steps
		// north-east are ray 54+7. The infantry blocks the other commander's line to d2.
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
		if got := encode.CoTuLenh().Actions.Number(m); got != c.want {
			t.Errorf("%s in %s: number %d, want %d", c.move, c.position, got, c.want)
		}
	}
	if n := encode.CoTuLenh().Actions.Count; n != 55441 {
		t.Errorf("%d actions, want 55441", n)
	}
}

// TestCoTuLenhActionsOfTheVectors: random play seldom reaches these positions.
func TestCoTuLenhActionsOfTheVectors(t *testing.T) {
	g, p := encode.CoTuLenh(), cotulenh.New()
	for _, text := range vectorPositions(t) {
		if err := p.Set(text); err != nil {
			t.Fatal(err)
		}
		if err := encodetest.CheckActions(&g, p); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// TestCoTuLenhLawsHoldOnTheVectors runs all laws with conformance states as samples.
func TestCoTuLenhLawsHoldOnTheVectors(t *testing.T) {
	g := encode.CoTuLenh()
	for i, text := range vectorPositions(t) {
		if i%10 == 0 {
			g.Samples = append(g.Samples, text)
		}
	}
	encodetest.Run(t, g)
}

// TestCoTuLenhLawsHoldOnEveryEngine: arrays, actions and planes come out the same.
func TestCoTuLenhLawsHoldOnEveryEngine(t *testing.T) {
	for _, e := range encode.CoTuLenh().Engines[1:] {
		g := encode.CoTuLenh()
		if err := g.UseEngine(e.Name); err != nil {
			t.Fatal(err)
		}
		t.Run(e.Name, func(t *testing.T) { encodetest.Run(t, g) })
	}
}

// TestCoTuLenhEnginesEncodeAlike: arrays and actions of the conformance states are equal.
func TestCoTuLenhEnginesEncodeAlike(t *testing.T) {
	g := encode.CoTuLenh()
	mailbox, bitboard := g.Engines[0].New(""), g.Engines[1].New("")
	for _, text := range vectorPositions(t) {
		if err := errors.Join(mailbox.Set(text), bitboard.Set(text)); err != nil {
			t.Fatal(err)
		}
		for _, l := range g.Layouts {
			if !bytes.Equal(l.Encode(nil, mailbox), l.Encode(nil, bitboard)) {
				t.Fatalf("%s: the arrays %s differ", text, l.Name)
			}
		}
		if err := encodetest.CheckActions(&g, bitboard); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// BenchmarkCoTuLenhArrays encodes the conformance states from each engine.
func BenchmarkCoTuLenhArrays(b *testing.B) {
	g := encode.CoTuLenh()
	for _, l := range g.Layouts {
		for _, e := range g.Engines {
			b.Run(l.Name+"/"+e.Name, func(b *testing.B) {
				var list []engine.Position
				for _, text := range vectorPositions(b)[:500] {
					p := e.New("")
					if err := p.Set(text); err != nil {
						b.Fatal(err)
					}
					list = append(list, p)
				}
				dst, n := make([]byte, 0, 1<<16), 0
				for b.Loop() {
					for _, p := range list {
						dst = l.Encode(dst[:0], p)
					}
					n += len(list)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(n), "ns/position")
			})
		}
	}
}
