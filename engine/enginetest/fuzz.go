package enginetest

import (
	"slices"
	"testing"

	"selfplay/engine"
)

// FuzzText fuzzes Set in all variants. No text may make it panic. A valid text must
// have a canonical form that reads back as itself with the same hash and moves, and so
// must every successor. An invalid text must be rejected with a complete *TextError and
// change nothing.
func FuzzText(f *testing.F, g engine.Game, seeds []string) {
	for _, text := range seeds {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, variant := range (Suite{Game: g}).variants() {
			p, again := g.New(variant), g.New(variant)
			if err := p.Set(text); err != nil {
				checkUnchanged(t, p, again, err)
				continue
			}
			checkCanonical(t, p, again)
			checkPlayable(t, p, again)
		}
	})
}

// checkUnchanged compares a position that has rejected a text with a new one.
func checkUnchanged(t *testing.T, p, fresh engine.Position, err error) {
	t.Helper()
	if err := checkTextError(err); err != nil {
		t.Error(err)
	}
	if p.String() != fresh.String() || p.Hash() != fresh.Hash() {
		t.Errorf("a rejected text changes the position to %s", p)
	}
}

// checkCanonical reads the text of p into again and compares the two.
func checkCanonical(t *testing.T, p, again engine.Position) {
	t.Helper()
	text := p.String()
	if err := again.Set(text); err != nil {
		t.Fatalf("%q: Set rejects the position's own text: %v", text, err)
	}
	if got := again.String(); got != text {
		t.Errorf("%q: the text changes to %q when read", text, got)
	}
	if got, want := again.Hash(), p.Hash(); got != want {
		t.Errorf("%q: hash %016x, after reading %016x", text, want, got)
	}
	if got, want := moveTexts(again), moveTexts(p); !slices.Equal(got, want) {
		t.Errorf("%q: moves %q, after reading %q", text, want, got)
	}
}

// checkPlayable plays every move, reads the text of the successor, and undoes the move.
func checkPlayable(t *testing.T, p, again engine.Position) {
	t.Helper()
	text, hash, list := p.String(), p.Hash(), p.Moves(nil)
	if c, ok := p.(engine.Counter); ok && c.Count() != len(list) {
		t.Errorf("%q: Count is %d, %d moves are listed", text, c.Count(), len(list))
	}
	for _, m := range list {
		p.Do(m)
		if err := again.Set(p.String()); err != nil || again.Hash() != p.Hash() {
			t.Errorf("%q: a move leads to %q, which reads as %q, %v", text, p, again, err)
		}
		p.Undo()
	}
	if p.String() != text || p.Hash() != hash {
		t.Errorf("%q: playing and undoing moves leaves %q", text, p)
	}
}
