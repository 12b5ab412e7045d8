package search

import (
	"sort"

	"selfplay/engine"
)

// Conversions between scores and values. A value is the expected result of one side, 1
// for a win, 0 for a draw, -1 for a loss, in 65536ths. The logistic curve
// 2/(1+e^-x) - 1 with x = score/scale converts a static score to a value. Both curves
// here are tables of integers.

const (
	one           = 1 << 16
	logisticSteps = 256 // entries of logistic per unit of x
	decaySteps    = 64  // entries of decay per unit of x
)

// logistic holds the values of x from 0 to 16, all below one.
var logistic = func() (t [16 * logisticSteps]uint16) {
	for i := range t {
		e := exp(-float64(i) / logisticSteps)
		t[i] = uint16(one * ((1 - e) / (1 + e)))
	}
	return t
}()

// valueOf returns the value of a static score.
func valueOf(score, scale int) int {
	if score < 0 {
		return -valueOf(-score, scale)
	}
	return int(logistic[min(score*logisticSteps/scale, len(logistic)-1)])
}

// scoreOf returns the static score with a value; of several, the one closest to 0.
func scoreOf(value, scale int) int {
	if value < 0 {
		return -scoreOf(-value, scale)
	}
	i := sort.Search(len(logistic)-1, func(i int) bool { return int(logistic[i]) >= value })
	return min((i*scale+logisticSteps-1)/logisticSteps, engine.MaxStatic)
}

// decay holds e^-x in 65536ths for x from 0 to 16: the softmax weight of a move whose
// score is x scales below the best. It is at least 1, so no move has weight 0.
var decay = func() (t [16*decaySteps + 1]uint32) {
	for i := range t {
		t[i] = max(uint32(one*exp(-float64(i)/decaySteps)), 1)
	}
	return t
}()

// softmax replaces scores by probabilities in 65536ths, each at least 1. best is the largest
// of the scores.
func softmax(scores []int32, best, scale int) {
	sum := uint64(0)
	for i, score := range scores {
		w := softmaxWeight(best-int(score), scale)
		scores[i] = int32(w)
		sum += uint64(w)
	}
	for i, w := range scores {
		scores[i] = int32(max(uint64(w)*one/sum, 1))
	}
}
