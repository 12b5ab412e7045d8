package program

import (
	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/app"
	"selfplay/cmd/internal/ask"
	"selfplay/encode"
	"selfplay/engine"
)

// positionFlags choose a position and how strictly it is read.
func positionFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "position", Category: app.Game, DefaultText: "the start of the game",
			Usage: "`TEXT` of the position, or {\"board_array\":[...],\"side\":\"...\"}"},
		&cli.BoolFlag{Name: "strict", Category: app.Game, Usage: "refuse an array of an older version that leaves part of the position unknown"},
	}
}

// positionFrom returns the game and the position of the flags.
func positionFrom(c *cli.Context) (encode.Game, engine.Position, error) {
	game, variant, err := gameFrom(c)
	if err != nil {
		return game, nil, err
	}
	q, err := ask.ParsePosition(c.String("position"))
	if err != nil {
		return game, nil, app.Usage("%v", err)
	}
	pos := game.New(variant)
	if err := q.Set(pos, &game, c.Bool("strict")); err != nil {
		return game, nil, app.Usage("%v", err)
	}
	return game, pos, nil
}
