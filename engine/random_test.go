package engine

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestBelow: bounded draws are exactly uniform. With the bound 3<<30, a draw without
// rejection would return a multiple of three every second time instead of every third.
func TestBelow(t *testing.T) {
	const draws, bound = 300_000, 3 << 30
	src, count := rand.NewPCG(20, 21), [3]int{}
	for range draws {
		r := Below(src, bound)
		if r >= bound {
			t.Fatalf("%d is not below %d", r, uint32(bound))
		}
		count[r%3]++
	}
	for rest, n := range count {
		if math.Abs(float64(n)/draws-1.0/3) > 0.005 {
			t.Errorf("%d of %d draws are %d modulo 3", n, draws, rest)
		}
	}
	if got := Below(src, 1); got != 0 {
		t.Errorf("Below(src, 1) = %d, want 0", got)
	}
}

// TestMix compares with the published output of SplitMix64 for seed 1234567.
func TestMix(t *testing.T) {
	const step = 0x9e3779b97f4a7c15
	for i, want := range []uint64{6457827717110365317, 3203168211198807973, 9817491932198370423} {
		if got := Mix(1234567 + uint64(i)*step); got != want {
			t.Errorf("output %d is %d, want %d", i, got, want)
		}
	}
}

func TestParseFraction(t *testing.T) {
	for text, want := range map[string]Fraction{
		"0": 0, "0.05": 50, ".5": 500, "1": 1000, "0.001": 1, "0.999": 999, "5e-2": 50, "0.050": 50,
	} {
		if got, err := ParseFraction(text); err != nil || got != want {
			t.Errorf("%s: %d, %v, want %d", text, got, err, want)
		}
	}
	for text, want := range map[string]string{
		"": "from 0 to 1", "-0.05": "from 0 to 1", "1.001": "from 0 to 1", "NaN": "from 0 to 1", "5%": "from 0 to 1",
		"0.0005": "whole thousandths",
	} {
		if _, err := ParseFraction(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

func TestFractionStringRoundTrips(t *testing.T) {
	for f := range One + 1 {
		if got, err := ParseFraction(f.String()); err != nil || got != f {
			t.Errorf("%d formats as %s and parses as %d, %v", f, f, got, err)
		}
	}
}
