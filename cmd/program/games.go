package program

import (
	"fmt"
	"io"
	"strings"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/app"
	"selfplay/encode"
)

func gamesCommand() *cli.Command {
	return &cli.Command{
		Name:  "games",
		Usage: "list the games of the catalog with their facts",
		Description: `Examples:
selfplay games
selfplay games --table chess > chess.json   # for selfplay.register of the Python package
`,
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "names", Category: app.Output, Usage: "print only the names, one per line"},
			&cli.StringFlag{Name: "table", Category: app.Output, Usage: "print what boards and actions of the game `NAME` mean as JSON, for other languages"},
			app.JSONFlag(),
		},
		Action: func(c *cli.Context) error {
			if err := app.NoArgs(c); err != nil {
				return err
			}
			games := app.Catalog(c).Games
			table := c.String("table")
			switch {
			case c.Bool("names") && (c.Bool("json") || table != ""), c.Bool("json") && table != "":
				return app.Usage("flags --names, --table and --json exclude each other")
			case table != "":
				return printTable(c.App.Writer, games, table)
			case c.Bool("names"):
				_, err := fmt.Fprintln(c.App.Writer, strings.Join(games.Names(), "\n"))
				return err
			}
			var list []encode.Facts
			for _, g := range games {
				list = append(list, g.Facts())
			}
			if c.Bool("json") {
				return encode.NewJSON(c.App.Writer).Encode(list)
			}
			return printGames(c.App.Writer, list)
		},
	}
}

// printTable prints the table of a game.
func printTable(w io.Writer, games encode.Catalog, name string) error {
	g, err := app.FindGame(games, name)
	if err != nil {
		return err
	}
	table, err := g.Table()
	if err != nil {
		return err
	}
	_, err = w.Write(table)
	return err
}

func printGames(w io.Writer, list []encode.Facts) error {
	var b strings.Builder
	for _, f := range list {
		fmt.Fprintf(&b, "%s: %s, %d x %d cells, %s against %s\n", f.Name, f.Title, f.Files, f.Ranks, f.Sides[0], f.Sides[1])
		var layouts, reasons []string
		for _, l := range f.Layouts {
			layouts = append(layouts, fmt.Sprintf("%s (%d x %s)", l.Name, l.Len, l.Kind))
		}
		for _, r := range f.Reasons {
			reasons = append(reasons, r.Name)
		}
		for _, fact := range []struct {
			name   string
			values []string
		}{
			{"variants", f.Variants}, {"layouts", layouts}, {"actions", []string{fmt.Sprint(f.Actions.Count)}},
			{"reasons", reasons}, {"conditions", f.Conditions}, {"presets", f.Presets},
		} {
			if len(fact.values) > 0 {
				fmt.Fprintf(&b, "  %-11s %s\n", fact.name, strings.Join(fact.values, ", "))
			}
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}
