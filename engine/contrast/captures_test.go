package contrast_test

import (
	"slices"
	"testing"

	"selfplay/engine"
	"selfplay/engine/contrast"
	"selfplay/engine/enginetest"
)

// checkCaptures compares Captures with the base moves that win at once, and Gain with
// whether a move wins.
func checkCaptures(d *enginetest.Differences, p *contrast.Position) {
	d.T.Helper()
	var want []engine.Move
	side := p.Turn()
	for _, move := range p.Moves(nil) {
		p.Do(move)
		wins := p.Outcome() == engine.Outcome{Result: engine.Win(side), Reason: engine.Goal}
		p.Undo()
		if wins && contrast.Unpack(move).Tile == 0 {
			want = append(want, move)
		}
		if wins != (p.Gain(move) > 0) {
			d.Addf("%s: %s has Gain %d", p, p.FormatMove(move), p.Gain(move))
		}
	}
	got := p.Captures([]engine.Move{7})
	if got[0] != 7 || !slices.Equal(got[1:], want) {
		d.Addf("%s: captures %v, want %v", p, got[1:], want)
	}
}

// TestCaptures: Captures lists the winning base moves in the order of Moves.
func TestCaptures(t *testing.T) {
	checkPositions(t, func(d *enginetest.Differences, _ string, p *contrast.Position) { checkCaptures(d, p) })
}

func BenchmarkCaptures(b *testing.B) {
	list, found := make([]engine.Move, 0, 64), 0
	positions := benchPositions(b, func(p *contrast.Position) {
		list = p.Captures(list[:0])
		found += len(list)
	})
	b.ReportMetric(float64(found)/float64(positions), "captures/position")
}
