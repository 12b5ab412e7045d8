package program

import (
	"runtime"
	"slices"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/networks"
	"selfplay/cmd/internal/positions"
	"selfplay/cmd/internal/uci"
	"selfplay/encode"
	"selfplay/engine"
	"selfplay/engine/nnue/nets"
	"selfplay/workers"
)

func uciCommand() *cli.Command {
	return &cli.Command{
		Name:  "uci",
		Usage: "play chess as a UCI engine, for GUIs and match programs",
		Description: `Reads commands of the Universal Chess Interface from stdin and answers on stdout, until quit. The
option Player sets the player, the option Seed its random choices. "go depth N" and "go nodes N"
replace the limits of players that have such limits. A search ends by the limit of its player, by the
clock or by "stop", whichever comes first, with the best move so far.

Examples:
selfplay uci
selfplay uci --player ab:nodes=500
fastchess -engine name=ab cmd=selfplay args=uci -engine ...
`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "game", Category: groupGame, Value: "chess", Usage: "`NAME` of the game: chess"},
			seedFlag(),
			&cli.StringFlag{Name: "player", Category: groupPlayers, Value: "ab:nodes=4000000,hash=64", Usage: "`PLAYER` that decides, such as ab:depth=2"},
		},
		Action: runUCI,
	}
}

func runUCI(c *cli.Context) error {
	if err := noArgs(c); err != nil {
		return err
	}
	game, err := findGame(catalogOf(c).Games, c.String("game"))
	if err != nil {
		return err
	}
	if game.Name != "chess" {
		return usagef("game %s: UCI is a protocol for chess", game.Name)
	}
	find := networks.Cached(networks.Finder())
	player, err := ownPlayer(c, &game.Game, c.String("player"), workers.Sources{Networks: find})
	if err != nil {
		return err
	}
	fits := func(p workers.PlayerSpec) error { return checkTables(p.Memory(), lowerHash) }
	if err := fits(player); err != nil {
		return err
	}
	return uci.Serve(c.Context, uci.Config{
		Fits: fits,
		Name: c.App.Name + " " + c.App.Version, Game: game, Players: catalogOf(c).Players, Player: nets.Named(player.String()), Networks: find, Seed: c.Uint64("seed"),
	}, c.App.Reader, c.App.Writer)
}

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
			&cli.StringFlag{Name: "player", Category: groupPlayers, Usage: "`PLAYER` that searches positions on request, such as ab:depth=2"},
			&cli.IntFlag{Name: "workers", Category: groupOutput, DefaultText: "one per processor", Usage: "search `W` positions at once"},
		}),
		Action: runPositions,
	}
}

func runPositions(c *cli.Context) error {
	if err := noArgs(c); err != nil {
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
	return positions.Serve(c.Context, s, c.App.Reader, bytesWriter(c.App.Writer))
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
	return &player, checkTables(uint64(threads)*player.Memory(), fewerWorkers)
}
