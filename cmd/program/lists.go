package program

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/uci"
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
			&cli.BoolFlag{Name: "names", Category: groupOutput, Usage: "print only the names, one per line"},
			&cli.StringFlag{Name: "table", Category: groupOutput, Usage: "print what boards and actions of the game `NAME` mean as JSON, for other languages"},
			jsonFlag(),
		},
		Action: func(c *cli.Context) error {
			if err := noArgs(c); err != nil {
				return err
			}
			games := catalogOf(c).Games
			table := c.String("table")
			switch {
			case c.Bool("names") && (c.Bool("json") || table != ""), c.Bool("json") && table != "":
				return usagef("flags --names, --table and --json exclude each other")
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
			return printGameFacts(c.App.Writer, list)
		},
	}
}

// printTable prints the table of a game.
func printTable(w io.Writer, games encode.Catalog, name string) error {
	g, err := findGame(games, name)
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

func printGameFacts(w io.Writer, list []encode.Facts) error {
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

func playersCommand(games encode.Catalog) *cli.Command {
	return &cli.Command{
		Name:        "players",
		Usage:       "list the players of a game with their versions and parameters",
		UsageText:   "--game NAME [flags]",
		Description: "Examples:\n  selfplay players --game chess",
		Flags:       append(gameFlags(games), jsonFlag()),
		Action: func(c *cli.Context) error {
			if err := noArgs(c); err != nil {
				return err
			}
			g, _, err := gameFrom(c)
			if err != nil {
				return err
			}
			list := catalogOf(c).Players.Facts(&g.Game)
			if g.Name == uci.GameName {
				list = append(list, uci.Facts())
			}
			if c.Bool("json") {
				return encode.NewJSON(c.App.Writer).Encode(list)
			}
			t := tabwriter.NewWriter(c.App.Writer, 0, 0, 2, ' ', 0)
			for _, k := range list {
				fmt.Fprintf(t, "%s\t\tversion %d: %s\n", k.Name, k.Version, k.Doc)
				for _, p := range k.Params {
					fmt.Fprintf(t, "  %s\t%s\t%s%s\n", p.Name, p.Default, p.Doc, rangeText(p.Range))
				}
			}
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

func presetsCommand(games encode.Catalog) *cli.Command {
	return &cli.Command{
		Name:      "presets",
		Usage:     "list the presets of every game with their flags, and what they are for",
		UsageText: "[flags]",
		Description: "Examples:\n  selfplay presets\n  selfplay presets --game chess\n" +
			"  selfplay run --game chess --preset strong --games 100000 --stop-after 8h --dry-run --out night",
		Flags: append(gameFlags(games), jsonFlag()),
		Action: func(c *cli.Context) error {
			if err := noArgs(c); err != nil {
				return err
			}
			list := games
			if c.IsSet("game") || c.Bool("json") {
				g, _, err := gameFrom(c)
				if err != nil {
					return err
				}
				list = encode.Catalog{g}
			}
			if c.Bool("json") {
				return encode.NewJSON(c.App.Writer).Encode(list[0].Presets)
			}
			for i := range list {
				printPresets(c.App.Writer, &list[i])
			}
			return nil
		},
	}
}

// printPresets prints what the presets of a game are for, and their flags.
func printPresets(w io.Writer, g *encode.Game) {
	for _, p := range g.Presets {
		rate := ""
		if p.RowsPerCPUSecond > 0 {
			const hour = 3600
			rate = fmt.Sprintf("; about %.1f million rows an hour on a core", float64(p.RowsPerCPUSecond)*hour/1e6)
		}
		fmt.Fprintf(w, "%s %s: %s%s\n ", g.Name, p.Name, p.Doc, rate)
		for _, s := range presetSettings(&p) {
			fmt.Fprintf(w, " %s", s)
		}
		fmt.Fprintln(w)
	}
}
