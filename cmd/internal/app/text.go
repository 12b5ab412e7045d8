package app

import (
	"fmt"
	"strconv"
	"strings"
)

// Number writes a number for people, with commas between thousands: 12,000.
func Number[N ~int | ~int64 | ~uint64](n N) string {
	s := strconv.FormatInt(int64(n), 10)
	if n > 0 {
		s = strconv.FormatUint(uint64(n), 10)
	}
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Count writes a number with its noun: 1 shard, 2 shards, 12,000 rows, 3 plies.
func Count[N ~int | ~int64 | ~uint64](n N, noun string) string {
	if n != 1 {
		noun = plural(noun)
	}
	return Number(n) + " " + noun
}

// plural returns the plural of a noun: rows, plies, losses. All nouns on y that the programs
// use have a consonant before it.
func plural(noun string) string {
	if stem, ok := strings.CutSuffix(noun, "y"); ok {
		return stem + "ies"
	}
	if strings.HasSuffix(noun, "s") {
		return noun + "es"
	}
	return noun + "s"
}

// Ending names how a game ended: "red wins, checkmate". result is a name of
// datasets.Description.Results: of the side that won, "draw", or "" for no result.
func Ending(result, reason string) string {
	switch result {
	case "":
		return "cut off, " + reason
	case "draw":
		return "draw, " + reason
	}
	return result + " wins, " + reason
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
