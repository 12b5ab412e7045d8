// Package human writes numbers for people, and reads those that people type. It knows neither
// command lines nor games; the pages of the server and the reports use it too.
package human

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/dustin/go-humanize"
	"github.com/dustin/go-humanize/english"
)

// Number writes a number with commas between thousands: 12,000.
func Number[N ~int | ~int64 | ~uint64](n N) string {
	if n > 0 { // may be above the largest int64
		return humanize.BigComma(new(big.Int).SetUint64(uint64(n)))
	}
	return humanize.Comma(int64(n))
}

// Count writes a number with its noun: 1 shard, 2 shards, 12,000 rows, 3 plies.
func Count[N ~int | ~int64 | ~uint64](n N, noun string) string {
	if n != 1 {
		noun = english.PluralWord(0, noun, "")
	}
	return Number(n) + " " + noun
}

// Ending names how a game ended: "red wins, checkmate". result is a name of
// plan.Description.Results: of the side that won, "draw", or "" for no result.
func Ending(result, reason string) string {
	switch result {
	case "":
		return "cut off, " + reason
	case "draw":
		return "draw, " + reason
	}
	return result + " wins, " + reason
}

// Quoted returns text for one line of output: as it is if every character can be printed,
// else in quotes with escapes.
func Quoted(text string) string {
	if strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsGraphic(r) || r == utf8.RuneError }) {
		return strconv.QuoteToGraphic(text)
	}
	return text
}

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

// sizeUnits are the units of byte sizes. B is last because all others end with it.
var sizeUnits = []struct {
	name  string
	bytes float64
}{
	{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"TiB", 1 << 40},
	{"kB", 1e3}, {"KB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12}, {"B", 1},
}

// ParseSize parses a number of bytes with its unit: 500MB, 1.5GiB, 4096B. Only 0 needs no
// unit. It returns false for any other text.
func ParseSize(text string) (bytes int64, ok bool) {
	if text == "0" {
		return 0, true
	}
	for _, u := range sizeUnits {
		number, ok := strings.CutSuffix(text, u.name)
		if !ok {
			continue
		}
		n, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
		if err != nil || !(n >= 0 && n*u.bytes < math.MaxInt64) { // the comparisons are false for NaN
			return 0, false
		}
		return int64(n * u.bytes), true
	}
	return 0, false
}

// Size writes a number of bytes with a decimal unit: 999 B, 1.5 MB.
func Size(bytes float64) string {
	units := []string{"B", "kB", "MB", "GB", "TB"}
	i := 0
	for ; bytes >= 1000 && i < len(units)-1; i++ {
		bytes /= 1000
	}
	return fmt.Sprintf("%.*f %s", min(i, 1), bytes, units[i])
}
