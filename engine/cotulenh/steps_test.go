package cotulenh_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"selfplay/engine"
	"selfplay/engine/cotulenh"
	"selfplay/engine/enginetest"
)

// steps returns the texts of the legal steps, sorted.
func steps(p *cotulenh.Position) []string {
	var list []string
	for _, m := range p.Moves(nil) {
		list = append(list, p.FormatMove(m))
	}
	slices.Sort(list)
	return list
}

// difference returns the elements only in got and those only in want. Both lists are
// sorted.
func difference(got, want []string) (extra, missing []string) {
	for _, s := range got {
		if _, ok := slices.BinarySearch(want, s); !ok {
			extra = append(extra, s)
		}
	}
	for _, s := range want {
		if _, ok := slices.BinarySearch(got, s); !ok {
			missing = append(missing, s)
		}
	}
	return extra, missing
}

// outcome returns result and reason as the conformance data names them.
func outcome(p *cotulenh.Position) (result, reason string) {
	o := p.Outcome()
	sides := cotulenh.Game().Sides
	switch o.Result {
	case engine.FirstWins:
		result = sides[engine.First]
	case engine.SecondWins:
		result = sides[engine.Second]
	case engine.Draw:
		result = "draw"
	}
	return result, o.Reason.String()
}

// inParallel splits the list into parts and checks them in parallel subtests.
func inParallel[T any](t *testing.T, list []T, check func(*enginetest.Differences, []T)) {
	const parts = 8
	size := (len(list) + parts - 1) / parts
	for from := 0; from < len(list); from += size {
		part := list[from:min(from+size, len(list))]
		t.Run(fmt.Sprintf("from %d", from), func(t *testing.T) {
			t.Parallel()
			d := &enginetest.Differences{T: t}
			check(d, part)
			d.Report(len(part))
		})
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
