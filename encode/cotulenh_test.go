package encode_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"selfplay/encode"
	"selfplay/encode/encodetest"
	"selfplay/engine"
	"selfplay/engine/cotulenh"
	"selfplay/engine/enginetest"
	"selfplay/internal/must"
)

// vectorPositions returns the texts of the engine's conformance states: all special cases
// of the rules, 42 % of them in an open deployment.
func vectorPositions(t testing.TB) (texts []string) {
	t.Helper()
	for _, state := range enginetest.ReadLines[enginetest.State](t, "../engine/cotulenh/testdata/states.jsonl.gz") {
		texts = append(texts, state.Position)
	}
	return texts
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
	for _, text := range vectorPositions(t) {
		p := positionOf(t, "cotulenh", text)
		if got, err := layout.Decode(layout.Encode(nil, p), p.Turn()); err != nil || got != text {
			t.Errorf("decode(encode(%s)) = %s, %v", text, got, err)
		}
	}
}

// TestCoTuLenhActionsOfTheVectors: random play seldom reaches these positions.
func TestCoTuLenhActionsOfTheVectors(t *testing.T) {
	g := encode.CoTuLenh()
	for _, text := range vectorPositions(t) {
		if err := encodetest.CheckActions(&g, positionOf(t, g.Name, text)); err != nil {
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
		must.Do(t, g.UseEngine(e.Name))
		t.Run(e.Name, func(t *testing.T) { encodetest.Run(t, g) })
	}
}

// TestCoTuLenhEnginesEncodeAlike: arrays and actions of the conformance states are equal.
func TestCoTuLenhEnginesEncodeAlike(t *testing.T) {
	g := encode.CoTuLenh()
	mailbox, bitboard := g.Engines[0].New(""), g.Engines[1].New("")
	for _, text := range vectorPositions(t) {
		must.Do(t, errors.Join(mailbox.Set(text), bitboard.Set(text)))
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
					must.Do(b, p.Set(text))
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
