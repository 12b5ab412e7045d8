package cotulenh_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"selfplay/engine"
	"selfplay/engine/cotulenh"
	"selfplay/engine/enginetest"
)

// TestLaws checks the laws of all games, from the start, from every eighth conformance
// state and from the states with the longest lists. Among them are open sessions and
// finished games.
func TestLaws(t *testing.T) {
	var starts []string
	for i, s := range states(t) {
		if i%8 == 0 || len(s.Steps) > 400 {
			starts = append(starts, s.Position)
		}
	}
	enginetest.Run(t, cotulenh.Game(), starts)
}

// FuzzNotation checks the laws of position texts on mutated texts.
func FuzzNotation(f *testing.F) {
	data := enginetest.ReadConformance(f, cotulenh.Game(), "testdata")
	var seeds []string
	for _, text := range data.Texts {
		seeds = append(seeds, text.Text)
	}
	for i, s := range data.States {
		if i%20 == 0 {
			seeds = append(seeds, s.Position, s.Peer)
		}
	}
	enginetest.FuzzText(f, cotulenh.Game(), seeds)
}

// isCaptureText reports whether a step's text has the mark of a capture.
func isCaptureText(step string) bool { return strings.ContainsAny(step, "x_@") }

// checkCaptures compares Captures with the captures that Moves lists.
func checkCaptures(d *enginetest.Differences, p *cotulenh.Position) {
	d.T.Helper()
	var want []engine.Move
	for _, move := range p.Moves(nil) {
		if isCaptureText(p.FormatMove(move)) {
			want = append(want, move)
		}
	}
	got := p.Captures([]engine.Move{7})
	if got[0] != 7 {
		d.Addf("%s: Captures does not append", p)
	}
	got = slices.Clone(got[1:])
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		d.Addf("%s: %d captures, want %d: %x, want %x", p, len(got), len(want), got, want)
	}
}

// Captures lists exactly the captures among the legal steps, each once: in every
// conformance state and in random games.
func TestCapturesAreTheCapturesOfMoves(t *testing.T) {
	visitStatesAndGames(t, checkCaptures)
}

// BenchmarkCaptures lists the captures of every position of random games.
func BenchmarkCaptures(b *testing.B) {
	list, found := make([]engine.Move, 0, 256), 0
	positions := benchPositions(b, func(p *cotulenh.Position) {
		list = p.Captures(list[:0])
		found += len(list)
	})
	b.ReportMetric(float64(found)/float64(positions), "captures/position")
}

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
