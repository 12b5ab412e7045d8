package wdl

import (
	"math"
	"slices"
	"testing"
)

func TestChances(t *testing.T) {
	for _, c := range []struct {
		name            string
		m               Model
		score           int
		win, draw, loss float64
	}{
		{"level, no draws", Model{A: 0, B: 100}, 0, 0.5, 0, 0.5},
		{"ahead by a", Model{A: 80, B: 100}, 80, 0.5, 0.332, 0.168},
		{"behind by a", Model{A: 80, B: 100}, -80, 0.168, 0.332, 0.5},
		{"level", Model{A: 100, B: 100}, 0, 0.269, 0.462, 0.269},
		{"level, with repetitions", Model{A: 100, B: 100, DrawnAt0: 0.8}, 0, 0.1, 0.8, 0.1},
		{"ahead by a, with repetitions", Model{A: 80, B: 100, DrawnAt0: 0.8}, 80, 0.5, 0.332, 0.168},
		{"ahead by b without draws", Model{A: 0, B: 150}, 150, 0.731, 0, 0.269},
		{"far ahead", Model{A: 80, B: 100}, 20_000, 1, 0, 0},
		{"far behind", Model{A: 80, B: 100}, -20_000, 0, 0, 1},
	} {
		win, draw, loss := c.m.Chances(c.score)
		for i, pair := range [3][2]float64{{win, c.win}, {draw, c.draw}, {loss, c.loss}} {
			if math.Abs(pair[0]-pair[1]) > 0.0005 {
				t.Errorf("%s: chance %d is %f, want %.3f", c.name, i, pair[0], pair[1])
			}
		}
	}
}

// TestLogLosses: predicting 50 % costs log 2; three equally frequent outcomes cost log 3.
func TestLogLosses(t *testing.T) {
	coin := Tally{}
	coin.Add(0, 1)
	coin.Add(0, -1)
	if got := coin.LogLoss(Model{A: 0, B: 100}); math.Abs(got-math.Ln2) > 1e-12 {
		t.Errorf("a coin: log loss %f, want %f", got, math.Ln2)
	}
	three := Tally{5: {1, 1, 1}}
	if got := three.ConstantLoss(); math.Abs(got-math.Log(3)) > 1e-12 {
		t.Errorf("three outcomes: %f, want %f", got, math.Log(3))
	}
	ruledOut := Tally{0: {Draws: 1}}
	if got := ruledOut.LogLoss(Model{A: 0, B: 100}); math.IsInf(got, 0) || got < 10 {
		t.Errorf("a draw that the model rules out costs %f", got)
	}
	if got := (Tally{0: {Wins: 7}}).ConstantLoss(); got != 0 {
		t.Errorf("a single outcome costs %f", got)
	}
}

func TestBucketsAreEquallyFilled(t *testing.T) {
	games := Tally{-200: {0, 1, 3}, -10: {2, 0, 2}, 0: {3, 2, 3}, 5: {1, 1, 0}, 60: {1, 0, 1}, 300: {4, 0, 0}}
	for _, c := range []struct {
		n    int
		want [][3]int // low, high, plies
	}{
		{1, [][3]int{{-200, 300, 24}}},
		{2, [][3]int{{-200, 0, 16}, {5, 300, 8}}},
		{3, [][3]int{{-200, -10, 8}, {0, 0, 8}, {5, 300, 8}}},
		{100, [][3]int{{-200, -200, 4}, {-10, -10, 4}, {0, 0, 8}, {5, 5, 2}, {60, 60, 2}, {300, 300, 4}}},
	} {
		var got [][3]int
		m := Model{A: 40, B: 100}
		for _, b := range games.Buckets(&m, c.n) {
			got = append(got, [3]int{b.Low, b.High, int(b.Plies)})
			for _, p := range [2][3]float64{b.Predicted, b.Seen} {
				if sum := p[0] + p[1] + p[2]; math.Abs(sum-1) > 1e-12 {
					t.Errorf("shares of bucket %d to %d sum to %f", b.Low, b.High, sum)
				}
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%d buckets: %v, want %v", c.n, got, c.want)
		}
	}
	one := games.Buckets(&Model{A: 0, B: 100}, 3)[1]
	if one.Predicted != [3]float64{0.5, 0, 0.5} || one.Seen != [3]float64{3. / 8, 2. / 8, 3. / 8} {
		t.Errorf("score 0: %+v", one)
	}
}
