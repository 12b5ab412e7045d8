package enginetest

import (
	"errors"
	"fmt"
	"slices"

	"selfplay/engine"
)

// textRoundTrips: text -> position -> text is the identity, and the position read from
// the text has the same hash, side to move and check.
func textRoundTrips(v *visit) error {
	text := v.p.String()
	if err := v.fresh.Set(text); err != nil {
		return fmt.Errorf("Set rejects the position's own text: %w", err)
	}
	if got := v.fresh.String(); got != text {
		return fmt.Errorf("the text changes to %q when read", got)
	}
	if got, want := v.fresh.Hash(), v.p.Hash(); got != want {
		return fmt.Errorf("hash %016x as played, %016x as read", want, got)
	}
	if got, want := v.fresh.Turn(), v.p.Turn(); got != want {
		return fmt.Errorf("side to move %d as played, %d as read", want, got)
	}
	if got, want := v.fresh.Check(), v.p.Check(); got != want {
		return fmt.Errorf("check %t as played, %t as read", want, got)
	}
	return nil
}

// textIsMarkov: a position read from the text has the same legal moves and, except for
// repetition, the same outcome.
func textIsMarkov(v *visit) error {
	if err := v.fresh.Set(v.p.String()); err != nil {
		return err
	}
	if got, want := moveTexts(v.fresh), moveTexts(v.p); !slices.Equal(got, want) {
		return fmt.Errorf("moves as played %q, as read %q", want, got)
	}
	got, want := v.fresh.Outcome(), v.p.Outcome()
	if got != want && want.Reason != engine.Repetition {
		return fmt.Errorf("outcome %v as played, %v as read", want, got)
	}
	return nil
}

// resetClearsHistory: after Reset a position equals a new one and has no move to undo.
func resetClearsHistory(v *visit) error {
	want := newSnapshot(v.New())
	if err := v.fresh.Set(v.p.String()); err != nil {
		return err
	}
	draw(v.fresh, v.src)
	v.fresh.Reset()
	if err := want.compare(v.fresh); err != nil {
		return fmt.Errorf("after Reset: %w", err)
	}
	if !panics(v.fresh.Undo) {
		return errors.New("Undo finds a move after Reset")
	}
	return nil
}

// setClearsHistory: after Set there is nothing to undo and nothing to repeat,
// whatever was played or set before.
func setClearsHistory(v *visit) error {
	text := v.p.String()
	v.fresh.Reset()
	for range 3 {
		draw(v.fresh, v.src)
	}
	for range 3 { // a third occurrence would be a repetition
		if err := v.fresh.Set(text); err != nil {
			return err
		}
	}
	if o := v.fresh.Outcome(); o.Reason == engine.Repetition {
		return errors.New("a position is a repetition directly after Set")
	}
	if !panics(v.fresh.Undo) {
		return errors.New("Undo finds a move after Set")
	}
	return nil
}

// rejectionKeepsPosition: Set rejects an invalid text with a *TextError and leaves the
// position and its history unchanged.
func rejectionKeepsPosition(v *visit) error {
	text := v.p.String()
	before, rejected := newSnapshot(v.p), 0
	for _, corrupt := range corruptions(text) {
		if err := v.fresh.Set(corrupt); err == nil {
			continue // a corrupted text may still be valid
		}
		rejected++
		if err := v.checkRejection(corrupt, before); err != nil {
			return fmt.Errorf("text %q: %w", corrupt, err)
		}
	}
	if rejected == 0 {
		return errors.New("no corrupted text is rejected")
	}
	return nil
}

func (v *visit) checkRejection(text string, before snapshot) error {
	if err := checkTextError(v.p.Set(text)); err != nil {
		return err
	}
	return before.compare(v.p)
}

// checkTextError reports how err falls short of a complete *TextError.
func checkTextError(err error) error {
	var textErr *engine.TextError
	if !errors.As(err, &textErr) {
		return fmt.Errorf("rejected with %T, want *engine.TextError", err)
	}
	if textErr.Kind == "" || textErr.Category == "" || textErr.Msg == "" {
		return fmt.Errorf("rejected without kind, category or message: %#v", textErr)
	}
	return nil
}

// corruptions returns text truncated, with characters removed, overwritten and doubled
// at a spread of places.
func corruptions(text string) []string {
	list := []string{"", "?", text + "?", text + text}
	for i := 0; i < len(text); i += 1 + len(text)/16 {
		list = append(list, text[:i], text[i+1:], text[:i]+"?"+text[i+1:], text[:i+1]+text[i:])
	}
	return list
}
