package engine

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestBelow: bounded draws are exact. At 3<<30, where a draw without rejection
// would come out divisible by three every second time, they do every third time.
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
			t.Errorf("%d of %d draws leave %d by three", n, draws, rest)
		}
	}
	if got := Below(src, 1); got != 0 {
		t.Errorf("below 1 is %d", got)
	}
}

// TestMix checks against the published output of SplitMix64 with seed
// 1234567.
func TestMix(t *testing.T) {
	const step = 0x9e3779b97f4a7c15
	for i, want := range []uint64{6457827717110365317, 3203168211198807973, 9817491932198370423} {
		if got := Mix(1234567 + uint64(i)*step); got != want {
			t.Errorf("number %d is %d, want %d", i, got, want)
		}
	}
}
