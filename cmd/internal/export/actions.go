package export

import (
	"encoding/csv"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/app"
	"selfplay/encode"
)

func actionsCommand() *cli.Command {
	return &cli.Command{
		Name:  "actions",
		Usage: "print what the action numbers of a game stand for, as CSV",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "game", Usage: "`NAME` of the game: " + strings.Join(encode.Names(), ", ")},
		},
		Action: runActions,
	}
}

// runActions prints one line a number, in order: line i+2 is action i.
func runActions(c *cli.Context) error {
	if err := app.NoArgs(c); err != nil {
		return err
	}
	name, err := app.Required(c, "game")
	if err != nil {
		return err
	}
	game, err := encode.Find(name)
	if err != nil {
		return app.Usage("%v", err)
	}
	out := csv.NewWriter(c.App.Writer)
	out.Write([]string{"number", "from", "to", "kind"}) // errors stay with the writer until Error
	for n := range game.Actions.Count {
		a := game.Actions.Describe(uint16(n))
		out.Write([]string{strconv.Itoa(n), a.From, a.To, a.Kind})
	}
	out.Flush()
	return out.Error()
}
