// Package count reads whole numbers as people type them.
package count

import (
	"errors"
	"math/big"
	"regexp"
	"strings"
)

// The errors of Parse.
var (
	ErrForm     = errors.New("expected a whole number such as 4000, 10k, 1M or 1e6")
	ErrTooLarge = errors.New("too large: expected a whole number below 2^64")
)

var form = regexp.MustCompile(`^([0-9]{1,40}(?:\.[0-9]{1,20})?(?:[eE][0-9]{1,2})?)([kKMG]?)$`)

var units = map[string]string{"": "", "k": "e3", "K": "e3", "M": "e6", "G": "e9"}

// Parse parses a whole number from 0 to 2^64-1, which may be written with a decimal
// exponent or a suffix: k is a thousand, M a million, G a billion. Digits are decimal: 010
// is ten.
func Parse(text string) (uint64, error) {
	m := form.FindStringSubmatch(text)
	if m == nil || m[2] != "" && strings.ContainsAny(m[1], "eE") {
		return 0, ErrForm
	}
	n, ok := new(big.Rat).SetString(m[1] + units[m[2]])
	switch {
	case !ok || !n.IsInt():
		return 0, ErrForm
	case !n.Num().IsUint64():
		return 0, ErrTooLarge
	}
	return n.Num().Uint64(), nil
}
