package wdl

import (
	"math"
	"slices"
	"testing"
)

// even gives a win and a loss the same chance at 0, and no draw.
var even = Model{A: 0, B: 100}

// calibrated returns the range around 0 of games that were won or lost, each with a number of plies at 0.
func calibrated(t *testing.T, games ...int) Bucket {
	t.Helper()
	c, tally := NewCalibration(even), Tally{}
	for _, plies := range games {
		outcome := int8(1)
		if plies < 0 {
			plies, outcome = -plies, -1
		}
		for range plies {
			c.Add(0, outcome)
			tally.Add(0, outcome)
		}
		c.EndGame()
	}
	list := c.Buckets(tally)
	if len(list) != 1 {
		t.Fatalf("%+v, want one range", list)
	}
	return list[0]
}

// TestPliesOfAGameAreOneResult: games of n plies are as many results, whatever n is. Longer games weigh more.
func TestPliesOfAGameAreOneResult(t *testing.T) {
	for _, c := range []struct {
		name    string
		games   []int // plies; negative: lost
		results float64
		err     float64 // standard error of the share of wins: half of 1/sqrt(results)
	}{
		{"a game of one ply", []int{1}, 1, 0.5},
		{"a game of many plies", []int{1000}, 1, 0.5},
		{"four games of one ply", []int{1, 1, -1, -1}, 4, 0.25},
		{"four games of many plies", []int{50, 50, -50, -50}, 4, 0.25},
		{"a long game and short ones", []int{90, 5, -5}, 10_000. / 8150, 0.5 * math.Sqrt(8150) / 100},
	} {
		b := calibrated(t, c.games...)
		if !near(b.Results, c.results) || !near(b.Error[0], c.err) || !near(b.Error[2], c.err) || b.Error[1] != 0 {
			t.Errorf("%s: %v results, errors %v, want %v and %v", c.name, b.Results, b.Error, c.results, c.err)
		}
	}
}

func near(a, b float64) bool { return math.Abs(a-b) < 1e-9 }

// TestPliesOfBothSidesCancel: at equal scores of both sides a game is won as often as it is lost.
func TestPliesOfBothSidesCancel(t *testing.T) {
	if b := calibrated(t, 3, -3); b.Error[0] == 0 {
		t.Errorf("two games: %+v", b)
	}
	c, tally := NewCalibration(even), Tally{}
	for _, outcome := range []int8{1, -1} {
		c.Add(0, outcome)
		tally.Add(0, outcome)
	}
	c.EndGame()
	if b := c.Buckets(tally)[0]; b.Error != [3]float64{} || b.Results != 1 {
		t.Errorf("%+v", b)
	}
}

// TestRangesAreHalfAsWideAsB, centred on 0, and the outermost ones have no end.
func TestRangesAreHalfAsWideAsB(t *testing.T) {
	c, tally := NewCalibration(even), Tally{}
	for _, score := range []int{-9000, -276, -275, -26, -25, 0, 24, 25, 74, 75, 274, 275, 9000} {
		c.Add(score, 0)
		tally.Add(score, 0)
	}
	c.EndGame()
	var got [][3]int
	for _, b := range c.Buckets(tally) {
		got = append(got, [3]int{b.Low, b.High, int(b.Plies)})
	}
	want := [][3]int{{-9000, -276, 2}, {-275, -275, 1}, {-26, -26, 1}, {-25, 24, 3}, {25, 74, 2}, {75, 75, 1}, {274, 274, 1}, {275, 9000, 2}}
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestLeadWinsNineOfTenDecidedGames however many games are drawn.
func TestLeadWinsNineOfTenDecidedGames(t *testing.T) {
	for _, m := range []Model{{A: 0, B: 100}, {A: 622, B: 541}, {A: 128, B: 208}, {A: 1512, B: 878}, {A: 19, B: 290}, {A: 9000, B: 100}} {
		score := m.Lead()
		win, _, loss := m.Chances(score)
		before, _, lossBefore := m.Chances(score - 1)
		if win < 9*loss || before >= 9*lossBefore {
			t.Errorf("%+v: %d, where %v of the decided games are won; %v at a score less", m, score, win/(win+loss), before/(before+lossBefore))
		}
	}
}
