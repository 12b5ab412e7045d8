package cotulenh_test

import (
	"maps"
	"slices"
	"testing"

	"selfplay/engine"
	"selfplay/engine/cotulenh"
	"selfplay/engine/enginetest"
)

// checkCanonical compares all turns of a position, unless a session is open, with the
// canonical ones. It returns their numbers.
func checkCanonical(d *enginetest.Differences, p *cotulenh.Position) (all, canonical int) {
	if _, open := p.Session(); open {
		return 0, 0
	}
	all, ends := enginetest.TurnEnds(p, func(engine.Move) bool { return true })
	canonical, reached := enginetest.TurnEnds(p, p.Canonical)
	for _, end := range slices.Sorted(maps.Keys(ends)) {
		if !reached[end] {
			d.Addf("%s: no canonical order ends in %s", p, end)
			break
		}
	}
	return all, canonical
}

// From the start of a turn, every position in which it can end is reached in canonical
// order too.
func TestCanonicalOrdersReachEveryEndOfATurn(t *testing.T) {
	n := 4
	if testing.Short() {
		n = 32
	}
	enginetest.InParallel(t, everyState(t, n), func(d *enginetest.Differences, text string) { checkCanonical(d, at(t, text)) })
	d, seen := &enginetest.Differences{T: t}, 0
	enginetest.EachPosition(t, cotulenh.New(), nil, 4, enginetest.Uniform, func(p *cotulenh.Position) {
		all, _ := checkCanonical(d, p)
		seen += all
	})
	d.Report(seen)
	enginetest.AtLeast(t, seen, 5000)
}

// Of the turns of stacks of three, more than half are left out.
func TestCanonicalOrderSavesTurns(t *testing.T) {
	p := at(t, "6c4/4i1i4/11/11/11/11/3(FTI)7/11/11/2(NFM)8/11/4I1C1I2 r - - 3 9")
	d := &enginetest.Differences{T: t}
	all, canonical := checkCanonical(d, p)
	d.Report(all)
	if all < 5000 || 2*canonical > all {
		t.Errorf("%d turns of %d are canonical, want at most half of 5000 or more", canonical, all)
	}
}
