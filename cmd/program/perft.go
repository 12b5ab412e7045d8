package program

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"selfplay/encode"
	"selfplay/engine"
)

// maxDepth bounds --depth. No count reaches it in a lifetime.
const maxDepth = 100

func perftCommand(games encode.Catalog) *cli.Command {
	return &cli.Command{
		Name:      "perft",
		Usage:     "count the move sequences of some plies from a position",
		UsageText: "--game NAME --depth PLIES [flags]",
		Description: `Examples:
selfplay perft --game chess --depth 5
selfplay perft --game cotulenh --depth 2 --divide
`,
		Flags: slices.Concat(gameFlags(games), positionFlags(), []cli.Flag{
			engineFlag(games),
			&cli.IntFlag{Name: "depth", Category: groupGame, Usage: "length of the sequences in `PLIES`"},
			&cli.BoolFlag{Name: "divide", Category: groupGame, Usage: "also print the count of each first move"},
		}),
		Action: runPerft,
	}
}

func runPerft(c *cli.Context) error {
	if err := noArgs(c); err != nil {
		return err
	}
	if err := requireFlags(c, "game", "depth"); err != nil {
		return err
	}
	_, pos, err := positionFrom(c)
	if err != nil {
		return err
	}
	depth := c.Int("depth")
	if depth < 0 || depth > maxDepth {
		return usagef("depth %d: want 0 to %d", depth, maxDepth)
	}
	return perft(c.Context, c.App.Writer, pos, depth, c.Bool("divide"))
}

// perft prints the count of each first move, if divide is set, and of all.
func perft(ctx context.Context, w io.Writer, pos engine.Position, depth int, divide bool) error {
	if !divide || depth == 0 {
		nodes, err := countMoves(ctx, pos, depth)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(w, "nodes %d\n", nodes)
		return err
	}
	first, total, err := countEach(ctx, pos, depth)
	if err != nil {
		return err
	}
	var b strings.Builder
	for _, move := range slices.Sorted(maps.Keys(first)) {
		fmt.Fprintf(&b, "%s %d\n", move, first[move])
	}
	fmt.Fprintf(&b, "nodes %d\n", total)
	_, err = io.WriteString(w, b.String())
	return err
}

// countEach counts the sequences by their first move, and all of them.
func countEach(ctx context.Context, pos engine.Position, depth int) (first map[string]uint64, total uint64, err error) {
	first = map[string]uint64{}
	for _, m := range pos.Moves(nil) {
		text := pos.FormatMove(m)
		pos.Do(m)
		nodes, err := countMoves(ctx, pos, depth-1)
		pos.Undo()
		if err != nil {
			return nil, 0, err
		}
		first[text] = nodes
		total += nodes
	}
	return first, total, nil
}

// uncheckedPlies is the depth that count leaves to engine.Perft, which does not check the
// context.
const uncheckedPlies = 2

// countMoves is engine.Perft with a context.
func countMoves(ctx context.Context, pos engine.Position, depth int) (uint64, error) {
	if ctx.Err() != nil {
		return 0, fmt.Errorf("count: stopped: %w", context.Cause(ctx))
	}
	if depth <= uncheckedPlies {
		return engine.Perft(pos, depth), nil
	}
	var nodes uint64
	for _, m := range pos.Moves(nil) {
		pos.Do(m)
		n, err := countMoves(ctx, pos, depth-1)
		pos.Undo()
		if err != nil {
			return 0, err
		}
		nodes += n
	}
	return nodes, nil
}
