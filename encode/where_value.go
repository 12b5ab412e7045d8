package encode

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// parseSpan returns the numbers that fit an operator and a number or range. The text of numbers is
// that of strconv.Itoa, so that a condition is written in one way.
func (w *word) parseSpan(text, operator string) (interval, error) {
	if low, high, isRange := strings.Cut(text, "-"); isRange && w.min >= 0 {
		return w.parseRange(low, high, text, operator)
	}
	n, err := w.parseNumber(text)
	if err != nil {
		return interval{}, err
	}
	switch operator {
	case "<":
		return interval{math.MinInt64, n - 1}, nil
	case "<=":
		return interval{math.MinInt64, n}, nil
	case ">":
		return interval{n + 1, math.MaxInt64}, nil
	case ">=":
		return interval{n, math.MaxInt64}, nil
	}
	return interval{n, n}, nil
}

// parseRange parses 10-20, 10- and -20.
func (w *word) parseRange(low, high, text, operator string) (s interval, err error) {
	if operator != "=" && operator != "!=" {
		return s, fmt.Errorf("%q is a range: it goes with = and != only", text)
	}
	s = interval{w.min, w.max}
	if low != "" {
		s.low, err = w.parseNumber(low)
	}
	if err == nil && high != "" {
		s.high, err = w.parseNumber(high)
	}
	if err == nil && (low+high == "" || s.low > s.high) {
		err = fmt.Errorf("%q: want a range such as 10-20, 10- or -20", text)
	}
	return s, err
}

func (w *word) parseNumber(text string) (int64, error) {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < w.min || n > w.max || strconv.FormatInt(n, 10) != text {
		return 0, fmt.Errorf("%q: want a whole number from %d to %d for %s", text, w.min, w.max, w.name)
	}
	return n, nil
}
