package engine

import (
	"fmt"
	"math"
	"strconv"
)

// Fraction is a part of a whole in thousandths, from 0 to 1000: an integer, because
// games and files depend on it.
type Fraction uint16

// One is the share of everything.
const One Fraction = 1000

// ParseFraction reads a share written as a decimal fraction from 0 to 1.
func ParseFraction(text string) (Fraction, error) {
	share, err := strconv.ParseFloat(text, 64)
	if err != nil || !(share >= 0 && share <= 1) {
		return 0, fmt.Errorf("%q: want a share from 0 to 1", text)
	}
	n := math.Round(share * float64(One))
	if math.Abs(share*float64(One)-n) > 1e-9 {
		return 0, fmt.Errorf("%q: want whole thousandths", text)
	}
	return Fraction(n), nil
}

// String writes the share as ParseShare reads it: 0.25.
func (s Fraction) String() string {
	return strconv.FormatFloat(float64(s)/float64(One), 'f', -1, 64)
}
