package export

import (
	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/app"
)

// defaultMemory is what comparing positions takes unless told.
const defaultMemory = 1 << 30

// memoryForPositions is the usage of the flag where positions are compared.
const memoryForPositions = "about how much positions are compared in; the rest goes to $TMPDIR"

func memoryFlag(usage string) cli.Flag {
	return &cli.StringFlag{Name: "memory", Value: "1GiB", Usage: usage + ". `SIZE` as 64MiB or 2GB"}
}

// chosenMemory reads that flag. No byte depends on it.
func chosenMemory(c *cli.Context, least int64) (int64, error) {
	text := c.String("memory")
	n, ok := app.ParseSize(text)
	if !ok || n < least {
		return 0, app.Usage("memory %q: want %dMiB or more, as 64MiB or 2GB", text, least>>20)
	}
	return n, nil
}
