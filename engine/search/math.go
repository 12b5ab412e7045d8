package search

import (
	"math"
	"sort"

	"selfplay/engine"
)

// Exponential and logarithm with the same bits on every machine. Those of package math
// differ between machines: some processors have assembly versions, and where a fused
// multiply-add instruction exists, the compiler may round x*y + z once instead of twice.
//
// Here every product is converted to float64 before an addition. The language
// specification guarantees that an explicit conversion rounds, so the compiler emits no
// fused instruction for this package on any processor. Sums, quotients and math.Sqrt
// are rounded once by IEEE 754. math.Frexp and math.Ldexp only move bits.

// ln 2 in two parts. The high part has few enough bits that k*ln2High is exact.
const (
	ln2High = 6.93147180369123816490e-01
	ln2Low  = 1.90821492927058770002e-10
)

// exp returns e^x, within 2 units in the last place for |x| up to 700.
func exp(x float64) float64 {
	switch {
	case x < -708:
		return 0
	case x > 709:
		return math.Inf(1)
	}
	// x = k ln 2 + r with |r| <= (ln 2)/2. The Taylor series of e^r follows.
	k := math.Floor(float64(x/math.Ln2) + 0.5)
	r := x - float64(k*ln2High) - float64(k*ln2Low)
	sum := 1.0
	for n := 14.0; n > 0; n-- {
		sum = 1 + float64(sum*r)/n
	}
	return math.Ldexp(sum, int(k))
}

// log returns the natural logarithm of x > 0, within 2 units in the last place; near
// x = 1 the absolute error is at most 1e-16.
func log(x float64) float64 {
	// x = m 2^k with m between sqrt(1/2) and sqrt(2); ln m = 2 artanh s.
	m, k := math.Frexp(x)
	if m < math.Sqrt2/2 {
		m *= 2
		k--
	}
	s := (m - 1) / (m + 1)
	square := float64(s * s)
	sum := 0.0
	for n := 23.0; n > 1; n -= 2 {
		sum = float64((sum + 1/n) * square)
	}
	low := float64(2*s*sum) + float64(float64(k)*ln2Low)
	return float64(float64(k)*ln2High) + (float64(2*s) + low)
}

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

// Expected returns the expected result of a score by a logistic model of wins, draws and
// losses: the probability of a win plus half of that of a draw, in 10,000ths. a and b are the
// coefficients of the model (see encode.WDL), b above 0. It is the same on every machine.
func Expected(score, a, b int) int {
	win := 1 / (1 + exp(float64(a-score)/float64(b)))
	loss := 1 / (1 + exp(float64(a+score)/float64(b)))
	return int(math.Floor(float64(5000*(1+(win-loss))) + 0.5))
}

// softmaxWeight returns e^(-gap/scale) in 65536ths, at least 1.
func softmaxWeight(gap, scale int) uint32 {
	return decay[min(gap*decaySteps/scale, len(decay)-1)]
}
