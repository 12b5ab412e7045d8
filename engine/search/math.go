package search

import "math"

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
