package main

import (
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/program"
)

// defaultMemory is what comparing positions takes unless told.
const defaultMemory = 1 << 30

// memoryForPositions is the usage of the flag where positions are compared.
const memoryForPositions = "about how much positions are compared in; the rest goes to $TMPDIR"

func memoryFlag(usage string) cli.Flag {
	return &cli.StringFlag{Name: "memory", Value: "1GiB", Usage: usage + ". `SIZE` as 64MiB or 1GiB"}
}

// chosenMemory reads that flag. No byte depends on it.
func chosenMemory(c *cli.Context, least int64) (int64, error) {
	text := c.String("memory")
	for _, u := range []struct {
		name string
		bits int
	}{{"KiB", 10}, {"MiB", 20}, {"GiB", 30}} {
		number, ok := strings.CutSuffix(text, u.name)
		if !ok {
			continue
		}
		n, err := strconv.ParseInt(number, 10, 32)
		if err == nil && n<<u.bits >= least {
			return n << u.bits, nil
		}
	}
	return 0, program.Usage("memory %q: want %dMiB or more, as 64MiB or 1GiB", text, least>>20)
}
