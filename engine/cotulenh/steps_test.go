package cotulenh_test

import (
	"slices"
	"strings"
	"testing"

	"selfplay/engine/cotulenh"
	"selfplay/engine/enginetest"
)

// steps returns the texts of the legal steps, sorted.
func steps(p *cotulenh.Position) []string { return enginetest.MovesOf(p, "") }

// wantSteps compares the steps of a mover such as "Tc3" or "(TI)e4" that lead to the given
// squares, or all of them if there are none.
func wantSteps(t *testing.T, text, mover, squares, want string) {
	t.Helper()
	got, wanted := enginetest.MovesOf(at(t, text), mover, strings.Fields(squares)...), strings.Fields(want)
	slices.Sort(wanted)
	if !slices.Equal(got, wanted) {
		t.Errorf("%s: steps of %s to %s are %v, want %v", text, mover, squares, got, wanted)
	}
}

// at returns the position that text describes.
func at(t testing.TB, text string) *cotulenh.Position {
	t.Helper()
	p := cotulenh.New()
	if err := p.Set(text); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return p
}

// play plays steps, separated by spaces, from the position of text.
func play(t testing.TB, text, played string) *cotulenh.Position {
	t.Helper()
	p := at(t, text)
	for _, step := range strings.Fields(played) {
		m, err := p.ParseMove(step)
		if err != nil {
			t.Fatalf("%s: step %s: %v; legal steps: %v", p, step, err, steps(p))
		}
		p.Do(m)
	}
	return p
}
