package search

import (
	"math"
	"math/rand/v2"
	"testing"
)

// frequencies draws many times and returns the relative frequency of each index.
func frequencies(moves []RootMove, pick func(src *rand.PCG) int) []float64 {
	const draws = 40_000
	src, freq := rand.NewPCG(31, 32), make([]float64, len(moves))
	for range draws {
		freq[pick(src)] += 1.0 / draws
	}
	return freq
}

func TestPickByVisitsFollowsTemperature(t *testing.T) {
	moves := []RootMove{{Visits: 60}, {Visits: 30}, {Visits: 10}, {Visits: 0}}
	for _, c := range []struct {
		temperature int
		want        [4]float64
	}{
		{1000, [4]float64{0.6, 0.3, 0.1, 0}},
		{500, [4]float64{0.783, 0.196, 0.022, 0}}, // proportional to the squares 3600, 900, 100
		{2000, [4]float64{0.473, 0.334, 0.193, 0}},
		{10, [4]float64{1, 0, 0, 0}},
	} {
		got := frequencies(moves, func(src *rand.PCG) int { return PickByVisits(moves, c.temperature, src) })
		for i := range got {
			if math.Abs(got[i]-c.want[i]) > 0.01 {
				t.Errorf("temperature %d: move %d has frequency %.3f, want %.3f", c.temperature, i, got[i], c.want[i])
			}
		}
	}
	if got := PickByVisits([]RootMove{{}, {}}, 1000, rand.NewPCG(1, 1)); got != 0 {
		t.Errorf("without visits move %d is picked, want 0", got)
	}
}

func TestPickByScoreIgnoresBounds(t *testing.T) {
	moves := []RootMove{{Score: 50, Exact: true}, {Score: -50, Exact: true}, {Score: 40}}
	got := frequencies(moves, func(src *rand.PCG) int { return PickByScore(moves, 100, src) })
	want := [3]float64{0.731, 0.269, 0} // e : 1
	for i := range got {
		if math.Abs(got[i]-want[i]) > 0.01 {
			t.Errorf("move %d has frequency %.3f, want %.3f", i, got[i], want[i])
		}
	}
}

// Weights are stored in datasets: do not change them.
func TestWeightIsFrozen(t *testing.T) {
	for gap, want := range map[int]uint16{0: 65535, 20: 24109, 40: 8869, 200: 2, 320: 1, 60000: 1} {
		if got := Weight(gap); got != want {
			t.Errorf("Weight(%d) is %d, want %d", gap, got, want)
		}
	}
}
