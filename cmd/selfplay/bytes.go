package main

import (
	"math"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/program"
	"selfplay/datasets"
)

// units of bytes, as they are written.
var units = []struct {
	name  string
	bytes float64
}{
	{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"TiB", 1 << 40},
	{"kB", 1e3}, {"KB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12}, {"B", 1}, {"", 1},
}

// chosenMinFree reads the flag.
func chosenMinFree(c *cli.Context) (uint64, error) {
	if !c.IsSet("min-free") {
		return datasets.Spare, nil
	}
	text := c.String("min-free")
	for _, u := range units {
		number, ok := strings.CutSuffix(text, u.name)
		if !ok {
			continue
		}
		n, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
		if err == nil && n >= 0 && n*u.bytes < math.MaxInt64 {
			return uint64(n * u.bytes), nil
		}
		break
	}
	return 0, program.Usage("min-free %q: want bytes, as 500MB or 5GiB, or 0", text)
}

// sizeText writes bytes for people.
func sizeText(n float64) string {
	for _, name := range []string{"B", "kB", "MB", "GB"} {
		if n < 1000 {
			return strconv.FormatFloat(n, 'f', min(1, len(name)-1), 64) + " " + name
		}
		n /= 1000
	}
	return strconv.FormatFloat(n, 'f', 1, 64) + " TB"
}
