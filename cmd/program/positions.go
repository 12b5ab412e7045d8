package program

import (
	"runtime"
	"slices"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/app"
	"selfplay/cmd/internal/networks"
	"selfplay/cmd/internal/positions"
	"selfplay/encode"
	"selfplay/engine"
	"selfplay/workers"
)

func positionsCommand(games encode.Catalog) *cli.Command {
	return &cli.Command{
		Name:  "positions",
		Usage: "hold positions for another program and play its actions, in frames of bytes",
		Description: `Speaks over stdin and stdout until stdin ends. The Python package starts it:
selfplay.game("chess").positions(1024). With --player it also searches positions:
selfplay.player("chess", "ab:depth=3").search(positions).

Examples:
selfplay positions --game chess
selfplay positions --game cotulenh --player ab:nodes=1000,net=cotulenh
`,
		Flags: slices.Concat(gameFlags(games), []cli.Flag{
			engineFlag(games),
			&cli.StringFlag{Name: "player", Category: app.Players, Usage: "`PLAYER` that searches positions on request, such as ab:depth=2"},
			&cli.IntFlag{Name: "workers", Category: app.Output, DefaultText: "one per processor", Usage: "search `W` positions at once"},
		}),
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
	s := positions.Config{Version: c.App.Version, Game: game, Variant: variant}
	if s.Workers, err = workersFrom(c, &workers.Series{Game: game}, runtime.GOMAXPROCS(0)); err != nil {
		return err
	}
	if s.Player, err = positionsPlayer(c, &game.Game, s.Workers); err != nil {
		return err
	}
	return positions.Serve(c.Context, s, c.App.Reader, app.Bytes(c.App.Writer))
}

// positionsPlayer returns the player of searches, nil if the flags name none.
func positionsPlayer(c *cli.Context, g *engine.Game, threads int) (*workers.PlayerSpec, error) {
	if !c.IsSet("player") {
		return nil, nil
	}
	player, err := ownPlayer(c, g, c.String("player"), workers.Sources{Networks: networks.Finder()})
	if err != nil {
		return nil, err
	}
	return &player, app.CheckTables(uint64(threads)*player.Memory(), app.FewerWorkers)
}
