package contrast_test

import (
	"errors"
	"testing"

	"selfplay/engine"
	"selfplay/engine/contrast"
)

// FuzzNotation: no text makes the reader panic; a text that is read is the
// canonical one, and its position can be played; a text that is refused is refused
// with its fault named and changes nothing.
func FuzzNotation(f *testing.F) {
	for i, s := range states(f) {
		if i%20 == 0 {
			f.Add(s.text())
		}
	}
	f.Add(contrast.StartText + " ")
	f.Add("")
	f.Fuzz(func(t *testing.T, text string) {
		for _, dialect := range dialects {
			p := in(dialect)
			if err := p.Set(text); err != nil {
				checkUntouched(t, p, err)
				continue
			}
			if got := p.String(); got != text {
				t.Errorf("%q is written as %q", text, got)
			}
			checkPlayable(t, p)
		}
	})
}

func checkUntouched(t *testing.T, p *contrast.Position, err error) {
	t.Helper()
	var told *engine.TextError
	if !errors.As(err, &told) || told.Kind == "" || told.Category == "" || told.Msg == "" {
		t.Errorf("refused without naming the fault: %#v", err)
	}
	if p.String() != contrast.StartText || p.Hash() != contrast.New().Hash() {
		t.Errorf("refused, and left %s", p)
	}
}

// checkPlayable plays every move and takes it back.
func checkPlayable(t *testing.T, p *contrast.Position) {
	t.Helper()
	text, hash, list := p.String(), p.Hash(), p.Moves(nil)
	if got := p.Count(); got != len(list) {
		t.Errorf("%q: counted %d moves, listed %d", text, got, len(list))
	}
	again := contrast.New()
	for _, m := range list {
		p.Do(m)
		if err := again.Set(p.String()); err != nil || again.Hash() != p.Hash() {
			t.Errorf("%q: after %s %q reads back as %q, %v", text, p.FormatMove(m), p, again, err)
		}
		p.Undo()
	}
	if p.String() != text || p.Hash() != hash {
		t.Errorf("%q: taking back leaves %q", text, p)
	}
}

// FuzzParseMove: no text makes the reader of moves panic, and what it reads it
// would write.
func FuzzParseMove(f *testing.F) {
	for _, text := range []string{"a5,a4 -1", "a5,a4 c3b", "a1,a2 c3g", "c5,c4 c5g", "a5,a4 c3", "a5,a4 ", "a5,a4 -1b", ""} {
		f.Add(text)
	}
	p := contrast.New()
	f.Fuzz(func(t *testing.T, text string) {
		if m, err := p.ParseMove(text); err == nil && p.FormatMove(m) != text {
			t.Errorf("%q is read and written as %q", text, p.FormatMove(m))
		}
	})
}
