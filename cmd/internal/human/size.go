package human

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

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
