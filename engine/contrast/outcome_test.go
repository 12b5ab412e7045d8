package contrast_test

import (
	"testing"

	"selfplay/engine"
	"selfplay/engine/contrast"
)

func TestOutcome(t *testing.T) {
	blackWins := engine.Outcome{Result: engine.FirstWins, Reason: engine.Goal}
	whiteWins := engine.Outcome{Result: engine.SecondWins, Reason: engine.Goal}
	blackStuck := engine.Outcome{Result: engine.SecondWins, Reason: engine.Blocked}
	whiteStuck := engine.Outcome{Result: engine.FirstWins, Reason: engine.Blocked}
	for _, c := range []struct {
		rule, board, rest string
		want              engine.Outcome
	}{
		{"Black on rank 1", "..... ..... o.... ..... ..x..", "3,1,3,1 o", blackWins},
		{"White on rank 5", "..o.. ..... x.... ..... .....", "3,1,3,1 x", whiteWins},
		{"pieces on their home rows", "..x.. ..... ..... ..... ..o..", "3,1,3,1 x", engine.Ongoing},
		{"both on their goal rows: Black wins", "..o.. ..... ..... ..... ..x..", "3,1,3,1 o", blackWins},
		{"both on their goal rows, Black to move", "..o.. ..... ..... ..... ..x..", "3,1,3,1 x", blackWins},
		{"Black blocked, with tiles in hand", "..... o.... xo... o.... .....", "3,1,0,0 x", blackStuck},
		{"Black without a move, White to move", "..... o.... xo... o.... .....", "3,1,0,0 o", engine.Ongoing},
		{"Black can only jump", "..... o.... xx... o.... .....", "3,1,0,0 x", engine.Ongoing},
		{"White blocked on a black tile", "..... .x... O.... .x... .....", "0,0,3,1 o", whiteStuck},
		{"White without a piece", "..... ..... ..x.. ..... .....", "3,1,3,1 o", whiteStuck},
		{"Black's goal has priority over Black blocked", "..... ..... ..... o.... xo...", "3,1,3,1 x", blackWins},
		{"White's goal has priority over Black blocked", "xo... o.... ..... ..... .....", "3,1,3,1 x", whiteWins},
	} {
		t.Run(c.rule, func(t *testing.T) {
			p := at(t, boardText(c.board, c.rest))
			if got := p.Outcome(); got != c.want {
				t.Errorf("%v, want %v", got, c.want)
			}
			if over := c.want != engine.Ongoing; over != (len(p.Moves(nil)) == 0) || over != (p.Count() == 0) {
				t.Errorf("%d moves listed, Count %d", len(p.Moves(nil)), p.Count())
			}
		})
	}
}

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
