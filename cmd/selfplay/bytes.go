package main

import (
	"strconv"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/app"
	"selfplay/datasets"
)

// chosenMinFree reads the flag.
func chosenMinFree(c *cli.Context) (uint64, error) {
	if !c.IsSet("min-free") {
		return datasets.DefaultMinFree, nil
	}
	text := c.String("min-free")
	n, ok := app.ParseSize(text)
	if !ok {
		return 0, app.Usage("min-free %q: want bytes, as 500MB or 5GiB, or 0", text)
	}
	return uint64(n), nil
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
