package program

import (
	"slices"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/app"
	"selfplay/cmd/internal/positions"
	"selfplay/encode"
)

func positionsCommand(games encode.Catalog) *cli.Command {
	return &cli.Command{
		Name:  "positions",
		Usage: "hold positions for another program and play its actions, in frames of bytes",
		Description: `Speaks over stdin and stdout until stdin ends. The Python package starts it:
selfplay.game("chess").positions(1024).

Example:
selfplay positions --game chess
`,
		Flags:  slices.Concat(gameFlags(games), []cli.Flag{engineFlag(games)}),
		Action: runPositions,
	}
}

func runPositions(c *cli.Context) error {
	if err := app.NoArgs(c); err != nil {
		return err
	}
	game, variant, err := gameFrom(c)
	if err != nil {
		return err
	}
	return positions.Serve(c.Context, positions.Config{Version: c.App.Version, Game: game, Variant: variant}, c.App.Reader, app.Bytes(c.App.Writer))
}
