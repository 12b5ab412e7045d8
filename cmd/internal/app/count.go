package app

import (
	"fmt"
	"math/big"
	"regexp"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"
)

// CountFlag returns a flag for a number of games, rows or plies: 4000, 10k, 1.5M or 1e6.
// Read it with c.Uint64 or c.Int.
func CountFlag(name string, value uint64, category, usage string) *cli.GenericFlag {
	n := count(value)
	return &cli.GenericFlag{Name: name, Category: category, Usage: usage, Value: &n}
}

// count is the value of such a flag. Its text has digits only, which is what package cli
// parses again.
type count uint64

func (n *count) Set(text string) error {
	v, err := ParseCount(text)
	*n = count(v)
	return err
}

func (n *count) String() string { return strconv.FormatUint(uint64(*n), 10) }

var countText = regexp.MustCompile(`^([0-9]{1,20}(?:\.[0-9]{1,20})?(?:[eE][0-9]{1,2})?)([kKMG]?)$`)

var countUnits = map[string]string{"": "", "k": "e3", "K": "e3", "M": "e6", "G": "e9"}

// ParseCount parses a whole number from 0 to 2^64-1, which may be written with a decimal
// exponent or a suffix: k is a thousand, M a million, G a billion. Digits are decimal: 010
// is ten.
func ParseCount(text string) (uint64, error) {
	m := countText.FindStringSubmatch(text)
	if m == nil || m[2] != "" && strings.ContainsAny(m[1], "eE") {
		return 0, fmt.Errorf("count %q: want a whole number as 4000, 10k, 1M or 1e6", text)
	}
	n, ok := new(big.Rat).SetString(m[1] + countUnits[m[2]])
	if !ok || !n.IsInt() || !n.Num().IsUint64() {
		return 0, fmt.Errorf("count %q: want a whole number below 2^64", text)
	}
	return n.Num().Uint64(), nil
}
