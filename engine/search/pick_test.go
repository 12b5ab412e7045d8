package search

import (
	"math"
	"math/rand/v2"
	"testing"
)

// shares draws many times and returns how often each line came.
func shares(lines []RootMove, pick func(src *rand.PCG) int) []float64 {
	const draws = 40_000
	src, list := rand.NewPCG(31, 32), make([]float64, len(lines))
	for range draws {
		list[pick(src)] += 1.0 / draws
	}
	return list
}

func TestPickByVisits(t *testing.T) {
	lines := []RootMove{{Visits: 60}, {Visits: 30}, {Visits: 10}, {Visits: 0}}
	for _, c := range []struct {
		temperature int
		want        [4]float64
	}{
		{1000, [4]float64{0.6, 0.3, 0.1, 0}},
		{500, [4]float64{0.783, 0.196, 0.022, 0}}, // squares: 3600, 900, 100
		{2000, [4]float64{0.473, 0.334, 0.193, 0}},
		{10, [4]float64{1, 0, 0, 0}},
	} {
		got := shares(lines, func(src *rand.PCG) int { return PickByVisits(lines, c.temperature, src) })
		for i := range got {
			if math.Abs(got[i]-c.want[i]) > 0.01 {
				t.Errorf("temperature %d: line %d is picked in %.3f, want %.3f", c.temperature, i, got[i], c.want[i])
			}
		}
	}
	if got := PickByVisits([]RootMove{{}, {}}, 1000, rand.NewPCG(1, 1)); got != 0 {
		t.Errorf("without visits line %d is picked", got)
	}
}

func TestPickByScore(t *testing.T) {
	lines := []RootMove{{Score: 50, Exact: true}, {Score: -50, Exact: true}, {Score: 40}}
	got := shares(lines, func(src *rand.PCG) int { return PickByScore(lines, 100, src) })
	want := [3]float64{0.731, 0.269, 0} // e to 1
	for i := range got {
		if math.Abs(got[i]-want[i]) > 0.01 {
			t.Errorf("line %d is picked in %.3f, want %.3f", i, got[i], want[i])
		}
	}
}

// TestWeight pins what datasets hold.
func TestWeight(t *testing.T) {
	for behind, want := range map[int]uint16{0: 65535, 100: 24109, 200: 8869, 1000: 2, 1600: 1, 60000: 1} {
		if got := Weight(behind); got != want {
			t.Errorf("%d behind weighs %d, want %d", behind, got, want)
		}
	}
}
