package enginetest

import (
	"errors"
	"fmt"
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
			v := &visit{p: g.New(variant), fresh: g.New(variant)}
			if err := v.checkAnyText(text); err != nil {
				t.Errorf("variant %q, %q: %v", variant, v.p, err)
			}
		}
	})
}

// checkAnyText sets the position to a text and checks what follows from that.
func (v *visit) checkAnyText(text string) error {
	before := newSnapshot(v.p)
	if err := v.p.Set(text); err != nil {
		return errors.Join(checkTextError(err), before.compare(v.p))
	}
	if err := errors.Join(textRoundTrips(v), textIsMarkov(v), countIsLength(v), leafScoresAt(v), captureListsAgree(v)); err != nil {
		return err
	}
	read := newSnapshot(v.p)
	for _, m := range read.list {
		v.p.Do(m)
		err := textRoundTrips(v)
		v.p.Undo()
		if err != nil {
			return fmt.Errorf("after move %#x: %w", m, err)
		}
	}
	return read.compare(v.p)
}
