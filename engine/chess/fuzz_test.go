package chess_test

import (
	"errors"
	"slices"
	"testing"

	"selfplay/engine"
	"selfplay/engine/chess"
)

// FuzzNotation: no text makes the reader panic; a text that is read is written in
// a form that reads back as itself, with the same hash and the same moves, all of
// which can be played and taken back; a text that is refused is refused with its
// fault named and changes nothing.
func FuzzNotation(f *testing.F) {
	for _, row := range perftRows(f) {
		f.Add(row.FEN)
	}
	for _, text := range []string{"", "8/8/8/8/8/8/8/8 w - - 0 1", "4k3/8/8/8/8/8/8/4K3 w - - 256 0", "QQQQQQQk/8/8/8/8/8/8/K7 b - - 0 1"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p := chess.New()
		if err := p.Set(text); err != nil {
			checkUntouched(t, p, err)
			return
		}
		checkFixedPoint(t, p)
		checkPlayable(t, p)
	})
}

func checkUntouched(t *testing.T, p *chess.Position, err error) {
	t.Helper()
	var told *engine.TextError
	if !errors.As(err, &told) || told.Kind == "" || told.Category == "" || told.Msg == "" {
		t.Errorf("refused without naming the fault: %#v", err)
	}
	if p.String() != chess.StartText || p.Hash() != chess.New().Hash() {
		t.Errorf("refused, and left %s", p)
	}
}

func checkFixedPoint(t *testing.T, p *chess.Position) {
	t.Helper()
	text, again := p.String(), new(chess.Position)
	if err := again.Set(text); err != nil {
		t.Fatalf("%q: its own text is refused: %v", text, err)
	}
	if got := again.String(); got != text {
		t.Errorf("%q: written again as %q", text, got)
	}
	if got, want := again.Hash(), p.Hash(); got != want {
		t.Errorf("%q: hash %016x, read again %016x", text, want, got)
	}
	if !slices.Equal(again.Moves(nil), p.Moves(nil)) {
		t.Errorf("%q: read again it has other moves", text)
	}
}

func checkPlayable(t *testing.T, p *chess.Position) {
	t.Helper()
	text := p.String()
	list := p.Moves(nil)
	if p.Count() != len(list) {
		t.Errorf("%q: %d moves counted, %d listed", text, p.Count(), len(list))
	}
	for _, m := range list {
		p.Do(m)
		p.Undo()
	}
	if p.String() != text {
		t.Errorf("%q: playing and taking back leaves %q", text, p)
	}
}
