package cotulenh_test

import (
	"errors"
	"testing"

	"selfplay/engine"
	"selfplay/engine/cotulenh"
)

// FuzzNotation: no text makes the reader panic; a text that is read is written in
// a form that reads back as itself, with the same hash and the same steps; a text
// that is refused is refused with its fault named and changes nothing.
func FuzzNotation(f *testing.F) {
	for _, n := range notations(f) {
		f.Add(n.Text)
	}
	for i, s := range states(f) {
		if i%20 == 0 {
			f.Add(s.Position)
			f.Add(s.Peer)
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		p := cotulenh.New()
		if err := p.Set(text); err != nil {
			checkUntouched(t, p, err)
			return
		}
		checkFixedPoint(t, p)
	})
}

func checkUntouched(t *testing.T, p *cotulenh.Position, err error) {
	t.Helper()
	var told *engine.TextError
	if !errors.As(err, &told) || told.Kind == "" || told.Category == "" || told.Msg == "" {
		t.Errorf("refused without naming the fault: %#v", err)
	}
	if p.String() != cotulenh.StartText || p.Hash() != cotulenh.New().Hash() {
		t.Errorf("refused, and left %s", p)
	}
}

func checkFixedPoint(t *testing.T, p *cotulenh.Position) {
	t.Helper()
	text, again := p.String(), cotulenh.New()
	if err := again.Set(text); err != nil {
		t.Fatalf("%q: its own text is refused: %v", text, err)
	}
	if got := again.String(); got != text {
		t.Errorf("%q: written again as %q", text, got)
	}
	if got, want := again.Hash(), p.Hash(); got != want {
		t.Errorf("%q: hash %016x, read again %016x", text, want, got)
	}
	if extra, missing := difference(steps(again), steps(p)); len(extra)+len(missing) > 0 {
		t.Errorf("%q: read again it has too many steps %v, lacks %v", text, extra, missing)
	}
}
