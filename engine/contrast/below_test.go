package contrast

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
		r := below(src, bound)
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
	if got := below(src, 1); got != 0 {
		t.Errorf("below 1 is %d", got)
	}
}
