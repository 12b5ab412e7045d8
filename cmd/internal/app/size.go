package app

import (
	"math"
	"strconv"
	"strings"
)

// units of bytes, as they are written. One that others end with stands behind them.
var units = []struct {
	name  string
	bytes float64
}{
	{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"TiB", 1 << 40},
	{"kB", 1e3}, {"KB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12}, {"B", 1}, {"", 1},
}

// ParseSize returns how many bytes a text as 500MB, 1.5GiB or 4096 says, false if it says
// none.
func ParseSize(text string) (bytes int64, ok bool) {
	for _, u := range units {
		number, ok := strings.CutSuffix(text, u.name)
		if !ok {
			continue
		}
		n, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
		if err != nil || !(n >= 0 && n*u.bytes < math.MaxInt64) { // what is no number compares with none
			return 0, false
		}
		return int64(n * u.bytes), true
	}
	return 0, false
}
