package human

import (
	"fmt"
	"math/big"
	"regexp"
	"strings"
)

var countText = regexp.MustCompile(`^([0-9]{1,20}(?:\.[0-9]{1,20})?(?:[eE][0-9]{1,2})?)([kKMG]?)$`)

var countUnits = map[string]string{"": "", "k": "e3", "K": "e3", "M": "e6", "G": "e9"}

// ParseCount parses a whole number from 0 to 2^64-1, which may be written with a decimal
// exponent or a suffix: k is a thousand, M a million, G a billion. Digits are decimal: 010
// is ten.
func ParseCount(text string) (uint64, error) {
	m := countText.FindStringSubmatch(text)
	if m == nil || m[2] != "" && strings.ContainsAny(m[1], "eE") {
		return 0, fmt.Errorf("count %q: expected a whole number such as 4000, 10k, 1M or 1e6", text)
	}
	n, ok := new(big.Rat).SetString(m[1] + countUnits[m[2]])
	if !ok || !n.IsInt() || !n.Num().IsUint64() {
		return 0, fmt.Errorf("count %q: expected a whole number below 2^64", text)
	}
	return n.Num().Uint64(), nil
}
