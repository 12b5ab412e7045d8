package enginetest

import (
	"errors"
	"fmt"
	"slices"

	"selfplay/engine"
)

// textIsIdentity: text -> position -> text changes nothing, and the position
// read has the hash, the side to move and the check of the one written.
func textIsIdentity(v *visit) error {
	text := v.p.String()
	if err := v.fresh.Set(text); err != nil {
		return fmt.Errorf("its own text is refused: %w", err)
	}
	if got := v.fresh.String(); got != text {
		return fmt.Errorf("read and written again it is %q", got)
	}
	if got, want := v.fresh.Hash(), v.p.Hash(); got != want {
		return fmt.Errorf("hash %016x as played, %016x as read", want, got)
	}
	if got, want := v.fresh.Turn(), v.p.Turn(); got != want {
		return fmt.Errorf("side %d moves as played, %d as read", want, got)
	}
	if got, want := v.fresh.Check(), v.p.Check(); got != want {
		return fmt.Errorf("check %t as played, %t as read", want, got)
	}
	return nil
}

// textIsMarkov: a position read from the text has the same legal moves and the
// same outcome; only repetition looks at the history.
func textIsMarkov(v *visit) error {
	if err := v.fresh.Set(v.p.String()); err != nil {
		return err
	}
	if got, want := wire(v.fresh), wire(v.p); !slices.Equal(got, want) {
		return fmt.Errorf("moves as played %q, as read %q", want, got)
	}
	got, want := v.fresh.Outcome(), v.p.Outcome()
	if got != want && want.Reason != engine.Repetition {
		return fmt.Errorf("outcome %v as played, %v as read", want, got)
	}
	return nil
}

// resetForgets: Reset is the start of the game as a new position has it, without
// history.
func resetForgets(v *visit) error {
	want := take(v.New())
	if err := v.fresh.Set(v.p.String()); err != nil {
		return err
	}
	draw(v.fresh, v.src)
	v.fresh.Reset()
	if err := want.compare(v.fresh); err != nil {
		return fmt.Errorf("after Reset: %w", err)
	}
	if !panics(v.fresh.Undo) {
		return errors.New("undo finds a move to take back after Reset")
	}
	return nil
}

// setForgets: after Set there is no history, neither to take back nor to repeat,
// whatever was played or set before.
func setForgets(v *visit) error {
	text := v.p.String()
	v.fresh.Reset()
	for range 3 {
		draw(v.fresh, v.src)
	}
	for range 3 { // a position that stood three times would be a repetition
		if err := v.fresh.Set(text); err != nil {
			return err
		}
	}
	if o := v.fresh.Outcome(); o.Reason == engine.Repetition {
		return errors.New("a position just set is a repetition")
	}
	if !panics(v.fresh.Undo) {
		return errors.New("undo finds a move to take back after Set")
	}
	return nil
}

// refusalKeepsPosition: a text that is refused is refused by a *TextError and
// leaves the position as it was, its history included.
func refusalKeepsPosition(v *visit) error {
	text := v.p.String()
	before, refused := take(v.p), 0
	for _, bad := range damaged(text) {
		if err := v.fresh.Set(bad); err == nil {
			continue // damage that still reads is no breach
		}
		refused++
		if err := v.refuse(bad, before); err != nil {
			return fmt.Errorf("text %q: %w", bad, err)
		}
	}
	if refused == 0 {
		return errors.New("no damaged text is refused")
	}
	return nil
}

func (v *visit) refuse(bad string, before snapshot) error {
	var told *engine.TextError
	if err := v.p.Set(bad); !errors.As(err, &told) {
		return fmt.Errorf("refused with %T, not with a *TextError", err)
	}
	if told.Kind == "" || told.Category == "" || told.Msg == "" {
		return fmt.Errorf("refused without kind, category or message: %#v", told)
	}
	return before.compare(v.p)
}

// damaged returns text cut off, overwritten and doubled at a spread of places.
func damaged(text string) []string {
	bad := []string{"", "?", text + "?", text + text}
	for i := 0; i < len(text); i += 1 + len(text)/16 {
		bad = append(bad, text[:i], text[i+1:], text[:i]+"?"+text[i+1:], text[:i+1]+text[i:])
	}
	return bad
}
