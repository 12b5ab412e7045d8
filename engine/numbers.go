package engine

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
)

// Fraction is a part of a whole in thousandths, 0 to One: a probability, or a part of
// the games or rows. It is an integer because games and files depend on its exact value.
type Fraction uint16

// One is the whole: 1000 thousandths.
const One Fraction = 1000

// ParseFraction parses a decimal fraction from 0 to 1 with at most three decimals.
func ParseFraction(text string) (Fraction, error) {
	value, err := strconv.ParseFloat(text, 64)
	if err != nil || !(value >= 0 && value <= 1) {
		return 0, fmt.Errorf("%q: want a fraction from 0 to 1", text)
	}
	n := math.Round(value * float64(One))
	if math.Abs(value*float64(One)-n) > 1e-9 {
		return 0, fmt.Errorf("%q: want whole thousandths", text)
	}
	return Fraction(n), nil
}

// String returns the fraction as ParseFraction reads it: 0.25.
func (f Fraction) String() string {
	return strconv.FormatFloat(float64(f)/float64(One), 'f', -1, 64)
}

// Random numbers that games and players share. Every byte of every dataset depends
// on these functions: never change what they return.

// Below returns an exactly uniform number in [0, n); n must not be 0. It uses Lemire's
// multiply-and-reject method.
func Below(src *rand.PCG, n uint32) uint32 {
	product := uint64(uint32(src.Uint64()>>32)) * uint64(n)
	if low := uint32(product); low < n {
		for reject := -n % n; low < reject; low = uint32(product) {
			product = uint64(uint32(src.Uint64()>>32)) * uint64(n)
		}
	}
	return uint32(product >> 32)
}

// Mix is the output function of SplitMix64, a bijection that scatters neighbouring
// numbers. It makes seeds and Zobrist keys.
func Mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
