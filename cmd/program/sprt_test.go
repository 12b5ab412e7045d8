package program

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// TestLLR compares with fastchess (the first two: its tests of the logistic pentanomial
// model, to two decimals) and with a program of the formulas in another language.
func TestLLR(t *testing.T) {
	for _, c := range []struct {
		penta      [5]uint64
		elo0, elo1 float64
		want       float64
	}{
		{[5]uint64{223, 9863, 21279, 10037, 246}, 0.5, 2.5, -3.074126},
		{[5]uint64{871, 26175, 55983, 26678, 821}, 0, 2, -4.978673},
		{[5]uint64{5, 10, 20, 40, 25}, 0, 5, 1.075098},
		{[5]uint64{4: 20}, 0, 50, 2.672083},
		{[5]uint64{0, 3, 10, 2, 0}, -10, 10, -0.341475},
		{[5]uint64{12, 0, 26, 0, 12}, 0, 5, -0.010786},
	} {
		if got := llr(c.penta, scoreAt(c.elo0), scoreAt(c.elo1)); math.Abs(got-c.want) > 1e-5 {
			t.Errorf("%v, Elo %v against %v: LLR %.6f, want %.6f", c.penta, c.elo0, c.elo1, got, c.want)
		}
	}
}

// TestLLRIsAntisymmetric: swapped players and negated hypotheses negate the ratio.
func TestLLRIsAntisymmetric(t *testing.T) {
	penta, mirrored := [5]uint64{1, 0, 7, 9, 3}, [5]uint64{3, 9, 7, 0, 1}
	a, b := llr(penta, scoreAt(-3), scoreAt(12)), llr(mirrored, scoreAt(-12), scoreAt(3))
	if math.Abs(a+b) > 1e-9 {
		t.Errorf("%v and %v", a, b)
	}
}

func TestLOS(t *testing.T) {
	for _, c := range []struct {
		penta     [5]uint64
		low, high float64
	}{
		{[5]uint64{}, 0.5, 0.5},
		{[5]uint64{12, 0, 26, 0, 12}, 0.5, 0.5},
		{[5]uint64{5, 10, 20, 40, 25}, 0.9999, 1},
		{[5]uint64{73, 5834, 14141, 5863, 89}, 0.70, 0.72}, // 0.41 Elo with a standard error of 0.742
		{[5]uint64{0: 9}, 0, 0.001},
	} {
		counts := tally{Penta: c.penta}
		if got := counts.los(); got < c.low || got > c.high {
			t.Errorf("%v: %v, want %v to %v", c.penta, got, c.low, c.high)
		}
	}
}

// TestSPRTEndsAtTheSamePair: with any number of workers, and with fewer games than allowed.
func TestSPRTEndsAtTheSamePair(t *testing.T) {
	var first matchResult
	for _, workers := range []int{1, 2, 5} {
		var r matchResult
		read(t, mustRun(t, strings.Fields(fmt.Sprintf(
			"match --game contrast --a greedy --b random --games 10k --sprt 0,100 --json --workers %d", workers))...), &r)
		if r.SPRT == nil || r.SPRT.Accept != "elo1" || r.SPRT.LLR < sprtLimit || r.Pairs >= 5000 || r.Wins+r.Losses+r.Draws != 2*r.Pairs {
			t.Fatalf("%+v, %+v", r, r.SPRT)
		}
		test := *r.SPRT
		r.SPRT = nil
		if r = r.withoutTimes(); first.Pairs == 0 {
			first = r
		}
		if r != first {
			t.Errorf("%d workers: %+v, want %+v", workers, r, first)
		}
		before := tally{Penta: r.Penta}
		if before.Penta[4]--; llr(before.Penta, scoreAt(0), scoreAt(100)) >= test.Limit {
			t.Errorf("the test should have ended before %v", r.Penta)
		}
	}
}
