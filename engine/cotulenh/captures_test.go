package cotulenh_test

import (
	"slices"
	"strings"
	"testing"

	"selfplay/engine"
	"selfplay/engine/cotulenh"
	"selfplay/engine/enginetest"
)

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
