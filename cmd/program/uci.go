package program

import (
	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/app"
	"selfplay/cmd/internal/networks"
	"selfplay/cmd/internal/uci"
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
			&cli.StringFlag{Name: "game", Category: app.Game, Value: "chess", Usage: "`NAME` of the game: chess"},
			seedFlag(),
			&cli.StringFlag{Name: "player", Category: app.Players, Value: "ab:nodes=4000000,hash=64", Usage: "`PLAYER` that decides, such as ab:depth=2"},
		},
		Action: runUCI,
	}
}

func runUCI(c *cli.Context) error {
	if err := app.NoArgs(c); err != nil {
		return err
	}
	game, err := app.FindGame(app.Catalog(c).Games, c.String("game"))
	if err != nil {
		return err
	}
	if game.Name != "chess" {
		return app.Usage("game %s: UCI is a protocol for chess", game.Name)
	}
	find := networks.Cached(networks.Finder())
	player, err := ownPlayer(c, &game.Game, c.String("player"), workers.Sources{Networks: find})
	if err != nil {
		return err
	}
	fits := func(p workers.PlayerSpec) error { return app.CheckTables(p.Memory(), app.LowerHash) }
	if err := fits(player); err != nil {
		return err
	}
	return uci.Serve(c.Context, uci.Config{
		Fits: fits,
		Name: c.App.Name + " " + c.App.Version, Game: game, Players: app.Catalog(c).Players, Player: player.String(), Networks: find, Seed: c.Uint64("seed"),
	}, c.App.Reader, c.App.Writer)
}
