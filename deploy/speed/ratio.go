package main

import "slices"

// result is what the pairs of a job say.
type result struct {
	base             float64 // median CPU time of the base in seconds
	speed, low, high float64 // of the current program as a multiple of the base: median and range
}

// newResult sums up pairs. ratios are the times of the base divided by those of the current program.
func newResult(base, ratios []float64) result {
	slices.Sort(base)
	slices.Sort(ratios)
	k := outside(len(ratios))
	return result{median(base), median(ratios), ratios[k], ratios[len(ratios)-1-k]}
}

// median returns the median of sorted values.
func median(sorted []float64) float64 {
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// outside returns how many of n sorted values lie below the range of the median, and as many above it. The
// median of what is measured is below the value with index k with the probability that at most k of n fair
// coins fall on one side; both tails together have at most 5 %. Fewer than six values have no such range:
// theirs is from the least to the greatest.
func outside(n int) (k int) {
	tail, ways := 0.0, 1.0 // ways of n coins with k on that side
	total := 1.0
	for range n {
		total *= 2
	}
	for {
		tail += ways
		if 2*tail/total > 0.05 {
			return max(0, k-1)
		}
		ways = ways * float64(n-k) / float64(k+1)
		k++
	}
}
