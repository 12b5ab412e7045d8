package contrast_test

import (
	"testing"

	"selfplay/engine/contrast"
	"selfplay/engine/enginetest"
)

// TestLaws starts games from every tenth state of the data, from the states with the
// longest lists (full and empty hands, reached goals and blocked sides among them),
// and from boards that no game leads to.
func TestLaws(t *testing.T) {
	starts := []string{
		nearlyBlocked,
		crowded,
		"0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,3,1,3,1 x",
		"3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,0,0,0,0,0,0,0,3,1 x",
	}
	for i, s := range states(t) {
		if i%10 == 0 || s.N > 480 {
			starts = append(starts, s.text())
		}
	}
	enginetest.Run(t, contrast.Game(), starts)
}

const (
	// Black has one piece with one target.
	nearlyBlocked = "0,0,0,0,0,0,0,0,0,0,3,6,0,0,0,6,0,0,0,0,0,0,0,0,0,3,1,1,0 x"
	// Every piece stands on a gray tile, and most other cells have one.
	crowded = "5,5,5,5,5,2,0,2,0,2,2,2,2,2,2,2,0,2,0,2,8,8,8,8,8,3,1,3,1 o"
)

func FuzzNotation(f *testing.F) {
	seeds := []string{"", contrast.StartText + " "}
	for i, s := range states(f) {
		if i%20 == 0 {
			seeds = append(seeds, s.text())
		}
	}
	enginetest.FuzzText(f, contrast.Game(), seeds)
}

// FuzzParseMove: no text makes ParseMove panic, and an accepted text is what
// FormatMove writes.
func FuzzParseMove(f *testing.F) {
	for _, text := range []string{"a5,a4 -1", "a5,a4 c3b", "a1,a2 c3g", "c5,c4 c5g", "a5,a4 c3", "a5,a4 ", "a5,a4 -1b", ""} {
		f.Add(text)
	}
	p := contrast.New()
	f.Fuzz(func(t *testing.T, text string) {
		if m, err := p.ParseMove(text); err == nil && p.FormatMove(m) != text {
			t.Errorf("%q parses, but formats as %q", text, p.FormatMove(m))
		}
	})
}
