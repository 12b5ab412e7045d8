// Package human writes numbers for people, and reads those that people type. It knows neither
// command lines nor games; the pages of the server and the reports use it too.
//
//	human.go    numbers, counts with nouns, endings of games, text for one line
//	percent.go  shares in percent
//	size.go     byte sizes such as 500MB or 5GiB
//	count.go    counts such as 4000, 10k, 1M or 1e6
package human

import (
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
