package engine

import (
	"fmt"
	"math"
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
