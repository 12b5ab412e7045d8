package export

import (
	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/app"
	"selfplay/cmd/internal/human"
)

// defaultMemory is the memory for comparing positions unless --memory is given.
const defaultMemory = 1 << 30

// comparingMemory is the usage of --memory where positions are compared.
const comparingMemory = "compare positions in about `SIZE` of memory, such as 64MiB or 2GB, and in files in $TMPDIR"

func memoryFlag(usage string) cli.Flag {
	return &cli.StringFlag{Name: "memory", Value: "1GiB", Usage: usage}
}

// memoryFrom reads --memory, which must be at least least bytes, in whole MiB. The
// results of a command do not depend on it.
func memoryFrom(c *cli.Context, least int64) (int64, error) {
	text := c.String("memory")
	n, ok := human.ParseSize(text)
	if !ok || n < least {
		return 0, app.Usage("memory %q: want %dMiB or more, such as 64MiB or 2GB", text, least>>20)
	}
	return n, nil
}
