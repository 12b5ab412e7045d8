package report

import (
	"strings"
	"testing"

	"selfplay/datasets/stats"
	"selfplay/encode"
)

// TestOpeningBarsAreRelativeToTheMostCommonMove: rare moves are visible too.
func TestOpeningBarsAreRelativeToTheMostCommonMove(t *testing.T) {
	got := newTree(stats.Tree{Next: []stats.Branch{
		{Move: "e4", Share: 0.08, Next: []stats.Branch{{Move: "e5", Share: 0.02}}},
		{Move: "d4", Share: 0.06},
		{Move: "a3", Share: 0.0001},
	}})
	if got.Longest != 0.08 {
		t.Errorf("the longest bar stands for %v, want 0.08", got.Longest)
	}
	for i, want := range []string{"100.0", "75.0", "2.0"} {
		if got.Next[i].Bar != want {
			t.Errorf("%s: bar of width %s, want %s", got.Next[i].Move, got.Next[i].Bar, want)
		}
	}
	if bar := got.Next[0].Next[0].Bar; bar != "25.0" {
		t.Errorf("e5: bar of width %s, want 25.0", bar)
	}
	if barWidth(0, 0) != "0" {
		t.Errorf("without games: bar of width %s", barWidth(0, 0))
	}
}

// TestHeatMapsHaveAScale with numbers: a strip for each side whose pieces are counted.
func TestHeatMapsHaveAScale(t *testing.T) {
	d := sound()
	d.Stats.Plies = 200
	text := pageOf(t, d)
	if n := strings.Count(text, `<div class="scale">`); n != 3 { // origins, destinations, sides
		t.Errorf("%d scales, want 3", n)
	}
	g := encode.Chess()
	s := (&Report{game: &g}).newScale(0.3, "of the plies", 0, 1)
	if len(s.Strips) != 2 || s.Strips[0] == s.Strips[1] || strings.Join(s.Ticks, ", ") != "0 %, 15 %, 30 %" {
		t.Errorf("%d strips with the numbers %v", len(s.Strips), s.Ticks)
	}
}
