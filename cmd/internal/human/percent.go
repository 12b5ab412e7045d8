package human

import (
	"math"
	"strconv"
)

// Percent formats a share, from 0 to 1. It never rounds to 0 % or 100 %.
func Percent(v float64) string {
	p := 100 * v
	digits := 1
	switch {
	case p == math.Trunc(p):
		digits = 0
	case p < 1 || p > 99:
		digits = 2
	}
	switch {
	case v > 0 && p < 0.005:
		return "< 0.01 %"
	case v < 1 && p >= 99.995:
		return "> 99.99 %"
	}
	return strconv.FormatFloat(p, 'f', digits, 64) + " %"
}
