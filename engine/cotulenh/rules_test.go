package cotulenh_test

import (
	"slices"
	"strings"
	"testing"

	"selfplay/engine/cotulenh"
	"selfplay/engine/enginetest"
)

// TestRules asks the cases of testdata/rules.txt.
func TestRules(t *testing.T) {
	enginetest.Rules{Game: cotulenh.Game(), Path: "testdata/rules.txt"}.Run(t)
}

// TestHashIncludesSession: the hash includes the session: the members still to deploy and the landing squares.
func TestHashIncludesSession(t *testing.T) {
	seen := map[uint64]string{}
	for _, text := range []string{
		"10c/11/11/11/11/11/11/4F6/11/2(NT)8/11/9C1 r - - 0 1",
		"10c/11/11/11/11/11/11/4F6/11/2(NT)8/11/9C1 r - - 0 1 c3:(NT):-",
		"10c/11/11/11/11/11/11/4F6/11/2(NT)8/11/9C1 r - - 0 1 c3:(NT):e5",
		"10c/11/11/11/11/11/11/4F6/11/2(NT)8/11/9C1 r - - 0 1 c3:N:-",
		"10c/11/11/11/11/11/11/4F6/11/2(NT)8/11/9C1 r - - 0 1 c3:T:-",
		"10c/11/11/11/11/11/11/4F6/11/2(NT)8/11/9C1 b - - 0 1",
	} {
		h := at(t, text).Hash()
		if other, ok := seen[h]; ok {
			t.Errorf("hash %016x belongs to %s and to %s", h, other, text)
		}
		seen[h] = text
	}
}

// TestConformance checks the data of other programs; testdata/README.md describes it. A short
// run skips large counts, such as the 183,653,322 sequences of depth 4 from the start.
func TestConformance(t *testing.T) {
	data := enginetest.ReadConformance(t, cotulenh.Game(), "testdata")
	enginetest.AtLeast(t, len(data.States), 4014)
	enginetest.AtLeast(t, len(data.Games), 120)
	enginetest.AtLeast(t, len(data.Texts), 496)
	enginetest.AtLeast(t, len(data.Perft), 41*3+1)
	peers := slices.DeleteFunc(slices.Clone(data.States), func(s enginetest.State) bool { return s.Peer == "" })
	enginetest.AtLeast(t, len(peers), 1680)
	data.Run(t)
}

// states returns the states of the data.
func states(t testing.TB) []enginetest.State {
	return enginetest.ReadLines[enginetest.State](t, "testdata/states.jsonl.gz")
}

// everyState returns the texts of each n-th state of the data.
func everyState(t testing.TB, n int) (texts []string) {
	t.Helper()
	for i, s := range states(t) {
		if i%n == 0 {
			texts = append(texts, s.Position)
		}
	}
	return texts
}

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
