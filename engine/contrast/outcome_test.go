package contrast_test

import (
	"testing"

	"selfplay/engine"
	"selfplay/engine/contrast"
)

var backAndForth = []string{"a5,a4 -1", "a1,a2 -1", "a4,a5 -1", "a2,a1 -1"}

// TestFourthOccurrence: the start counts as the first occurrence.
func TestFourthOccurrence(t *testing.T) {
	repetition := engine.Outcome{Result: engine.Draw, Reason: engine.Repetition}
	for _, start := range []string{contrast.StartText, boardText("xx... ..... ..... ..... oo...", "0,0,0,0 x")} {
		p := at(t, start)
		for ply := range 12 {
			if got := p.Outcome(); got != engine.Ongoing {
				t.Fatalf("ply %d: outcome %v", ply, got)
			}
			play(t, p, backAndForth[ply%4])
		}
		if got := p.Outcome(); got != repetition {
			t.Errorf("fourth occurrence: outcome %v", got)
		}
		if len(p.Moves(nil)) == 0 {
			t.Error("Moves is empty after a repetition")
		}
		p.Undo()
		if got := p.Outcome(); got != engine.Ongoing {
			t.Errorf("after Undo: outcome %v", got)
		}
		set(t, p, p.String())
		play(t, p, backAndForth[3])
		if got := p.Outcome(); got != engine.Ongoing {
			t.Errorf("after Set: outcome %v", got)
		}
	}
}

// TestRepetitionIncludesTheSide: pieces that can walk a triangle restore the cells
// after seven plies, with the other side to move. That is not a repetition.
func TestRepetitionIncludesTheSide(t *testing.T) {
	start := boardText("..g.. ..g%. ..... .@g.. ..g..", "0,0,0,0 x")
	p := at(t, start)
	cells := p.Array()
	sevens := [2][]string{
		{"d4,c4 -1", "b2,c2 -1", "c4,d4 -1", "c2,c1 -1", "d4,c4 -1", "c1,b2 -1", "c4,d4 -1"},
		{"b2,c2 -1", "d4,c4 -1", "c2,b2 -1", "c4,c5 -1", "b2,c2 -1", "c5,d4 -1", "c2,b2 -1"},
	}
	for n := 2; n <= 7; n++ {
		if got := p.Outcome(); got != engine.Ongoing {
			t.Fatalf("before occurrence %d: outcome %v", n, got)
		}
		play(t, p, sevens[n%2]...)
		if p.Array() != cells || p.Turn() != engine.Side(1-n%2) {
			t.Fatalf("occurrence %d: %s", n, p)
		}
	}
	if got := p.Outcome().Reason; got != engine.Repetition {
		t.Errorf("fourth occurrence with Black to move: reason %q", got)
	}
}

// TestTileEndsRepetition: no position before a placed tile can recur. In the variant
// before, a tile on the destination is not placed and does not count.
func TestTileEndsRepetition(t *testing.T) {
	p := contrast.New()
	for range 2 {
		play(t, p, backAndForth...)
	}
	play(t, p, "a5,a4 e3b", backAndForth[1], backAndForth[2], backAndForth[3]) // first occurrence
	for n := 2; n <= 4; n++ {
		if got := p.Outcome(); got != engine.Ongoing {
			t.Fatalf("before occurrence %d: outcome %v", n, got)
		}
		play(t, p, backAndForth...)
	}
	if got := p.Outcome().Reason; got != engine.Repetition {
		t.Errorf("fourth occurrence after the tile: reason %q", got)
	}
	for range 8 {
		p.Undo()
	}
	if got := p.Outcome(); got != engine.Ongoing {
		t.Errorf("after Undo: outcome %v", got)
	}

	p = in("before")
	for range 3 {
		play(t, p, "a5,a4 a4g", backAndForth[1], backAndForth[2], backAndForth[3])
	}
	if got := p.Outcome().Reason; got != engine.Repetition {
		t.Errorf("fourth occurrence with tiles that are not placed: reason %q", got)
	}
}
