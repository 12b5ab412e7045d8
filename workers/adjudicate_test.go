package workers

import (
	"math/rand/v2"
	"testing"

	"selfplay/engine"
)

// unsearched is a score of a game's table that no search gave.
const unsearched = 1 << 14

// judged returns the ply after which scores, seen by the side that moves first, end
// a game, and how; -1 if they do not.
func judged(a *Adjudication, scores []int16) (int, engine.Outcome) {
	w := arbiter{Adjudication: a}
	w.begin(rand.NewPCG(1, 1))
	for ply, score := range scores {
		side := engine.Side(ply & 1)
		d := Decision{Nodes: 1, Score: score}
		if side == engine.Second {
			d.Score = -score
		}
		if score == unsearched {
			d = Decision{}
		}
		if o := w.judge(ply, side, &d); o != engine.Ongoing {
			return ply, o
		}
	}
	return -1, engine.Ongoing
}

func TestAdjudication(t *testing.T) {
	win := Adjudication{Win: WinRule{Score: 500, Plies: 3}}
	draw := Adjudication{Draw: DrawRule{Score: 10, Plies: 3, From: 2}}
	first, second := engine.Win(engine.First), engine.Win(engine.Second)
	for _, c := range []struct {
		name   string
		rules  Adjudication
		scores []int16
		ply    int
		result engine.Result
	}{
		{"three plies of a lead", win, []int16{0, 500, 600, 500, 0}, 3, first},
		{"three plies of the other's lead", win, []int16{-500, -501, -30000}, 2, second},
		{"two plies and a doubt", win, []int16{500, 500, 499, 500, 500}, -1, 0},
		{"two plies for each side", win, []int16{500, 500, -500, -500}, -1, 0},
		{"a drawn ply starts the count again", win, []int16{500, 500, unsearched, 500, 500}, -1, 0},
		{"a lead is not a draw", win, []int16{0, 0, 0, 0, 0}, -1, 0},
		{"three level plies", draw, []int16{0, 0, 10, -10, 0}, 4, engine.Draw},
		{"level plies before their time", draw, []int16{0, 0, 0, 0}, -1, 0},
		{"level plies with a swing", draw, []int16{0, 0, 0, 0, 11, 0, 0}, -1, 0},
		{"no rules", Adjudication{}, []int16{3000, 3000, 3000, 0, 0, 0}, -1, 0},
		{"played out regardless", Adjudication{Win: win.Win, PlayOut: engine.One}, []int16{500, 500, 500, 500}, -1, 0},
	} {
		ply, o := judged(&c.rules, c.scores)
		if ply != c.ply || o.Result != c.result || (o != engine.Ongoing) != (o.Reason == engine.Adjudicated) {
			t.Errorf("%s: ended at ply %d with %v, want ply %d, result %v", c.name, ply, o, c.ply, c.result)
		}
	}
}

func TestAdjudicationPlaysItsShareOut(t *testing.T) {
	a := arbiter{Adjudication: &Adjudication{Win: WinRule{500, 3}, PlayOut: 200}}
	src, n := rand.NewPCG(1, 2), 0
	for range 10_000 {
		a.begin(src)
		if a.playOut {
			n++
		}
	}
	if n < 1800 || n > 2200 {
		t.Errorf("%d of 10,000 games are played out, want 2,000", n)
	}
}
