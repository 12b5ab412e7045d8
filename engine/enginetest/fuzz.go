package enginetest

import (
	"errors"
	"slices"
	"testing"

	"selfplay/engine"
)

// FuzzText fuzzes the reader of position texts in all variants: no text makes it
// panic; a text that is read is written in a form that reads back as itself, with
// the same hash and the same moves, and all of them lead to positions of which that
// is true; a text that is refused is refused with its fault named and changes
// nothing.
func FuzzText(f *testing.F, g engine.Game, seeds []string) {
	for _, text := range seeds {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, variant := range (Suite{Game: g}).variants() {
			p, again := g.New(variant), g.New(variant)
			if err := p.Set(text); err != nil {
				checkUntouched(t, p, again, err)
				continue
			}
			checkFixedPoint(t, p, again)
			checkPlayable(t, p, again)
		}
	})
}

// checkUntouched compares a position that has refused a text with a new one.
func checkUntouched(t *testing.T, p, fresh engine.Position, err error) {
	t.Helper()
	var told *engine.TextError
	if !errors.As(err, &told) || told.Kind == "" || told.Category == "" || told.Msg == "" {
		t.Errorf("refused without naming the fault: %#v", err)
	}
	if p.String() != fresh.String() || p.Hash() != fresh.Hash() {
		t.Errorf("refused, and left %s", p)
	}
}

// checkFixedPoint reads the text of p into again and compares.
func checkFixedPoint(t *testing.T, p, again engine.Position) {
	t.Helper()
	text := p.String()
	if err := again.Set(text); err != nil {
		t.Fatalf("%q: its own text is refused: %v", text, err)
	}
	if got := again.String(); got != text {
		t.Errorf("%q: written again as %q", text, got)
	}
	if got, want := again.Hash(), p.Hash(); got != want {
		t.Errorf("%q: hash %016x, read again %016x", text, want, got)
	}
	if got, want := wire(again), wire(p); !slices.Equal(got, want) {
		t.Errorf("%q: moves %q, read again %q", text, want, got)
	}
}

// checkPlayable plays every move, reads the text it leads to, and takes it back.
func checkPlayable(t *testing.T, p, again engine.Position) {
	t.Helper()
	text, hash, list := p.String(), p.Hash(), p.Moves(nil)
	if c, ok := p.(engine.Counter); ok && c.Count() != len(list) {
		t.Errorf("%q: %d moves counted, %d listed", text, c.Count(), len(list))
	}
	for _, m := range list {
		p.Do(m)
		if err := again.Set(p.String()); err != nil || again.Hash() != p.Hash() {
			t.Errorf("%q: a move leads to %q, which reads as %q, %v", text, p, again, err)
		}
		p.Undo()
	}
	if p.String() != text || p.Hash() != hash {
		t.Errorf("%q: playing and taking back leaves %q", text, p)
	}
}
