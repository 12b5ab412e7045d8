package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/app"
	"selfplay/engine"
)

// maxDepth bounds --depth; no count of this depth ever ends.
const maxDepth = 100

func perftCommand() *cli.Command {
	return &cli.Command{
		Name:  "perft",
		Usage: "count the move sequences from a position",
		Flags: append(append(gameFlags(), positionFlags()...),
			&cli.IntFlag{Name: "depth", Usage: "`PLIES` of a sequence"},
			&cli.BoolFlag{Name: "divide", Usage: "count for each first move too"},
		),
		Action: func(c *cli.Context) error {
			if err := app.NoArgs(c); err != nil {
				return err
			}
			_, pos, err := chosenPosition(c)
			if err != nil {
				return err
			}
			depth := c.Int("depth")
			switch {
			case !c.IsSet("depth"):
				return app.Usage("flag --depth is missing")
			case depth < 0 || depth > maxDepth:
				return app.Usage("depth %d: want 0 to %d", depth, maxDepth)
			}
			return perft(c.Context, c.App.Writer, pos, depth, c.Bool("divide"))
		},
	}
}

// perft prints the count, after that of each first move if divide is set.
func perft(ctx context.Context, w io.Writer, pos engine.Position, depth int, divide bool) error {
	if !divide || depth == 0 {
		nodes, err := count(ctx, pos, depth)
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

// countEach counts the sequences that begin with each move, and all.
func countEach(ctx context.Context, pos engine.Position, depth int) (first map[string]uint64, total uint64, err error) {
	first = map[string]uint64{}
	for _, m := range pos.Moves(nil) {
		text := pos.FormatMove(m)
		pos.Do(m)
		nodes, err := count(ctx, pos, depth-1)
		pos.Undo()
		if err != nil {
			return nil, 0, err
		}
		first[text] = nodes
		total += nodes
	}
	return first, total, nil
}

// wholePlies is the depth that is counted without a look at the context.
const wholePlies = 2

// count is engine.Perft that can be cancelled.
func count(ctx context.Context, pos engine.Position, depth int) (uint64, error) {
	if ctx.Err() != nil {
		return 0, fmt.Errorf("count: stopped: %w", context.Cause(ctx))
	}
	if depth <= wholePlies {
		return engine.Perft(pos, depth), nil
	}
	var nodes uint64
	for _, m := range pos.Moves(nil) {
		pos.Do(m)
		n, err := count(ctx, pos, depth-1)
		pos.Undo()
		if err != nil {
			return 0, err
		}
		nodes += n
	}
	return nodes, nil
}
