package engine

import (
	"fmt"
	"math"
	"strconv"
)

// Share is a part of a whole in thousandths, from 0 to 1000: an integer, because
// games and files depend on it.
type Share uint16

// Whole is the share of everything.
const Whole Share = 1000

// ParseShare reads a share written as a decimal fraction from 0 to 1.
func ParseShare(text string) (Share, error) {
	share, err := strconv.ParseFloat(text, 64)
	if err != nil || !(share >= 0 && share <= 1) {
		return 0, fmt.Errorf("%q: want a share from 0 to 1", text)
	}
	n := math.Round(share * float64(Whole))
	if math.Abs(share*float64(Whole)-n) > 1e-9 {
		return 0, fmt.Errorf("%q: want whole thousandths", text)
	}
	return Share(n), nil
}

// String writes the share as ParseShare reads it: 0.25.
func (s Share) String() string {
	return strconv.FormatFloat(float64(s)/float64(Whole), 'f', -1, 64)
}
