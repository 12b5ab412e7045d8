package main

import (
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/app"
	"selfplay/encode"
	"selfplay/engine"
	"selfplay/workers"
)

// gameFlags choose a game and its variant.
func gameFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "game", Usage: "`NAME` of the game: " + strings.Join(encode.Names(), ", ")},
		&cli.StringFlag{Name: "variant", Usage: "`NAME` of the variant; the game's first if not given"},
	}
}

// chosenGame returns the game and the variant that the flags name.
func chosenGame(c *cli.Context) (game encode.Game, variant string, err error) {
	name, err := app.Required(c, "game")
	if err != nil {
		return game, "", err
	}
	game, err = encode.Find(name)
	if err != nil {
		return game, "", app.Usage("%v", err)
	}
	variant, err = chosenVariant(&game.Game, c.String("variant"))
	return game, variant, err
}

// chosenVariant returns the full name of a variant: the default has one too if
// the game has several.
func chosenVariant(g *engine.Game, name string) (string, error) {
	switch {
	case name == "" && len(g.Variants) > 0:
		return g.Variants[0], nil
	case name == "" || slices.Contains(g.Variants, name):
		return name, nil
	case len(g.Variants) == 0:
		return "", app.Usage("unknown variant %q: %s has none", name, g.Name)
	}
	return "", app.Usage("unknown variant %q: want one of %s", name, strings.Join(g.Variants, ", "))
}

// playerFlags choose who plays.
func playerFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "player", Usage: "`PLAYER` of both sides: name[:key=value[,key=value]...]", Value: "random"},
		&cli.StringFlag{Name: "player-first", Usage: "`PLAYER` of the side that moves first"},
		&cli.StringFlag{Name: "player-second", Usage: "`PLAYER` of the other side"},
	}
}

// chosenPlayers returns who plays First and Second. The player of both sides and that of
// one exclude each other, unless one is the environment's: the command line comes first.
func chosenPlayers(c *cli.Context, g *engine.Game) (players [2]workers.PlayerSpec, err error) {
	for side, flag := range [2]string{"player-first", "player-second"} {
		text := c.String("player")
		switch both := inVariable(c, "player"); {
		case !c.IsSet(flag):
		case c.IsSet("player") && both == inVariable(c, flag):
			return players, app.Usage("flags --player and --%s exclude each other", flag)
		case both || !c.IsSet("player"):
			text = c.String(flag)
		}
		if players[side], err = workers.ParsePlayer(g, text); err != nil {
			return players, app.Usage("%v", err)
		}
	}
	return players, nil
}
