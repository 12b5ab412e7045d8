package main

import (
	"fmt"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/app"
	"selfplay/encode"
	"selfplay/workers"
)

func playersCommand() *cli.Command {
	return &cli.Command{
		Name:  "players",
		Usage: "list the players of a game with their parameters and versions",
		Flags: append(gameFlags(), &cli.BoolFlag{Name: "json", Usage: "print one line of JSON"}),
		Action: func(c *cli.Context) error {
			if err := app.NoArgs(c); err != nil {
				return err
			}
			game, _, err := gameFrom(c)
			if err != nil {
				return err
			}
			list := workers.PlayerTypes(&game.Game)
			if c.Bool("json") {
				return encode.NewJSON(c.App.Writer).Encode(list)
			}
			t := tabwriter.NewWriter(c.App.Writer, 0, 0, 2, ' ', 0)
			for _, k := range list {
				fmt.Fprintf(t, "%s\t\tversion %d: %s\n", k.Name, k.Version, k.Doc)
				for _, p := range k.Params {
					fmt.Fprintf(t, "  %s\t%s\t%s%s\n", p.Name, p.Default, p.Doc, inRange(p.Range))
				}
			}
			return t.Flush()
		},
	}
}

func inRange(text string) string {
	if text == "" {
		return ""
	}
	return " (" + text + ")"
}
