package program

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/app"
	"selfplay/cmd/internal/uci"
	"selfplay/encode"
	"selfplay/workers"
)

func playersCommand(games encode.Catalog) *cli.Command {
	return listCommand(games, "players", "list the players of a game with their versions and parameters",
		func(known workers.Catalog, g *encode.Game) []workers.PlayerTypeFacts {
			list := known.Players.Facts(&g.Game)
			if g.Name == uci.GameName {
				list = append(list, uci.Facts())
			}
			return list
		},
		func(w io.Writer, list []workers.PlayerTypeFacts) {
			for _, k := range list {
				fmt.Fprintf(w, "%s\t\tversion %d: %s\n", k.Name, k.Version, k.Doc)
				for _, p := range k.Params {
					fmt.Fprintf(w, "  %s\t%s\t%s%s\n", p.Name, p.Default, p.Doc, rangeText(p.Range))
				}
			}
		})
}

// listCommand returns a command that prints a list of the game, as a table or as JSON.
func listCommand[T any](games encode.Catalog, name, usage string, listOf func(workers.Catalog, *encode.Game) []T, write func(table io.Writer, list []T)) *cli.Command {
	return &cli.Command{
		Name:        name,
		Usage:       usage,
		UsageText:   "--game NAME [flags]",
		Description: "Examples:\n  selfplay " + name + " --game chess",
		Flags:       append(gameFlags(games), app.JSONFlag()),
		Action: func(c *cli.Context) error {
			if err := app.NoArgs(c); err != nil {
				return err
			}
			game, _, err := gameFrom(c)
			if err != nil {
				return err
			}
			list := listOf(app.Catalog(c), &game)
			if c.Bool("json") {
				return encode.NewJSON(c.App.Writer).Encode(list)
			}
			t := tabwriter.NewWriter(c.App.Writer, 0, 0, 2, ' ', 0)
			write(t, list)
			return t.Flush()
		},
	}
}

// rangeText formats the range of a parameter.
func rangeText(text string) string {
	if text == "" {
		return ""
	}
	return " (" + text + ")"
}
