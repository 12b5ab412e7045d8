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

// steps returns the legal steps in their wire form, by bytes.
func steps(p *cotulenh.Position) []string {
	var list []string
	for _, m := range p.Moves(nil) {
		list = append(list, p.FormatMove(m))
	}
	slices.Sort(list)
	return list
}

// difference returns what is only in got and what is only in want, both sorted.
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

// outcome returns result and reason by the names of the data.
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

// shares cuts the list in pieces and checks them in parallel subtests.
func shares[T any](t *testing.T, list []T, check func(*enginetest.Misses, []T)) {
	const pieces = 8
	size := (len(list) + pieces - 1) / pieces
	for from := 0; from < len(list); from += size {
		share := list[from:min(from+size, len(list))]
		t.Run(fmt.Sprintf("from %d", from), func(t *testing.T) {
			t.Parallel()
			m := &enginetest.Misses{T: t}
			check(m, share)
			m.Report(len(share))
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

// play plays steps, given with blanks between, from the position of text.
func play(t testing.TB, text, played string) *cotulenh.Position {
	t.Helper()
	p := at(t, text)
	for _, step := range strings.Fields(played) {
		m, err := p.ParseMove(step)
		if err != nil {
			t.Fatalf("%s: step %s: %v; legal are %v", p, step, err, steps(p))
		}
		p.Do(m)
	}
	return p
}
