package search

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestLargestIsTheFirstOfTheLargest compares the index with that of a plain scan, for lists with many
// equal keys, with the smallest and the largest key, and with a larger key behind their end.
func TestLargestIsTheFirstOfTheLargest(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := 1; n <= 300; n++ {
		for range 200 {
			keys := make([]int32, n+8)
			for i := range keys {
				keys[i] = []int32{math.MinInt32, -1, 0, 1, int32(r.IntN(5)), math.MaxInt32 - 1}[r.IntN(1+n%6)]
			}
			for i := n; i < len(keys); i++ {
				keys[i] = math.MaxInt32
			}
			want := 0
			for i, key := range keys[:n] {
				if key > keys[want] {
					want = i
				}
			}
			if got := largest(keys[:n]); got != want {
				t.Fatalf("largest(%d) = %d, want %d", keys[:n], got, want)
			}
		}
	}
}
