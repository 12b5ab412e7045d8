package app

import (
	"strconv"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/human"
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
	v, err := human.ParseCount(text)
	*n = count(v)
	return err
}

func (n *count) String() string { return strconv.FormatUint(uint64(*n), 10) }
