package export

import (
	"encoding/csv"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/app"
	"selfplay/encode"
)

func actionsCommand(games encode.Catalog) *cli.Command {
	return &cli.Command{
		Name:        "actions",
		Usage:       "print the meaning of the action numbers of a game, as CSV",
		Description: "After a header, each line describes an action: its number, from, to and kind.\n\nExamples:\n  export actions --game chess",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "game", Category: app.Game, Usage: "`NAME` of the game: " + strings.Join(games.Names(), ", ")},
		},
		Action: runActions,
	}
}

func runActions(c *cli.Context) error {
	if err := app.NoArgs(c); err != nil {
		return err
	}
	name, err := app.Required(c, "game")
	if err != nil {
		return err
	}
	game, err := app.FindGame(app.Catalog(c).Games, name)
	if err != nil {
		return err
	}
	lines := [][]string{{"number", "from", "to", "kind"}}
	for n := range game.Actions.Count {
		a := game.Actions.Describe(uint16(n))
		lines = append(lines, []string{strconv.Itoa(n), a.From, a.To, a.Kind})
	}
	return csv.NewWriter(c.App.Writer).WriteAll(lines)
}
