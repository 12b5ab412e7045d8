package contrast_test

import (
	"testing"

	"selfplay/engine/contrast"
	"selfplay/engine/enginetest"
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
