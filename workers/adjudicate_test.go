package workers

import (
	"math/rand/v2"
	"testing"

	"selfplay/engine"
)

// unsearched marks a ply without a search in the score tables.
const unsearched = 1 << 14

// adjudicated returns the ply whose score ends the game, and the outcome; -1 if none does.
// Scores are from the view of First.
func adjudicated(a *Adjudication, scores []int16) (int, engine.Outcome) {
	j := adjudicator{Adjudication: a}
	j.begin(rand.NewPCG(1, 1))
	for ply, score := range scores {
		side := engine.Side(ply & 1)
		d := Decision{Nodes: 1, Score: score}
		if side == engine.Second {
			d.Score = -score
		}
		if score == unsearched {
			d = Decision{}
		}
		if o := j.adjudicate(ply, side, &d); o != engine.Ongoing {
			return ply, o
		}
	}
	return -1, engine.Ongoing
}

func TestAdjudicationCountsConsecutivePlies(t *testing.T) {
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
		{"win after three plies ahead", win, []int16{0, 500, 600, 500, 0}, 3, first},
		{"win of the second side", win, []int16{-500, -501, -30000}, 2, second},
		{"lower score interrupts the count", win, []int16{500, 500, 499, 500, 500}, -1, 0},
		{"lead changes sides", win, []int16{500, 500, -500, -500}, -1, 0},
		{"ply without a search resets the count", win, []int16{500, 500, unsearched, 500, 500}, -1, 0},
		{"level scores do not win", win, []int16{0, 0, 0, 0, 0}, -1, 0},
		{"draw after three level plies from ply 2", draw, []int16{0, 0, 10, -10, 0}, 4, engine.Draw},
		{"too few level plies from ply 2", draw, []int16{0, 0, 0, 0}, -1, 0},
		{"score outside the margin interrupts the count", draw, []int16{0, 0, 0, 0, 11, 0, 0}, -1, 0},
		{"no rules", Adjudication{}, []int16{3000, 3000, 3000, 0, 0, 0}, -1, 0},
		{"game played out despite the rules", Adjudication{Win: win.Win, PlayOut: engine.One}, []int16{500, 500, 500, 500}, -1, 0},
	} {
		ply, o := adjudicated(&c.rules, c.scores)
		if ply != c.ply || o.Result != c.result || (o != engine.Ongoing) != (o.Reason == engine.Adjudicated) {
			t.Errorf("%s: ended at ply %d with %v, want ply %d with result %v", c.name, ply, o, c.ply, c.result)
		}
	}
}

func TestPlayOutIsAFractionOfTheGames(t *testing.T) {
	a := adjudicator{Adjudication: &Adjudication{Win: WinRule{500, 3}, PlayOut: 200}}
	src, n := rand.NewPCG(1, 2), 0
	for range 10_000 {
		a.begin(src)
		if a.playOut {
			n++
		}
	}
	if n < 1800 || n > 2200 {
		t.Errorf("%d of 10,000 games are played out, want about 2,000", n)
	}
}
