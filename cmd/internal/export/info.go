package export

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/app"
	"selfplay/datasets"
	"selfplay/encode"
)

func infoCommand() *cli.Command {
	return &cli.Command{
		Name:      "info",
		Usage:     "tell what a dataset holds, also while it is being made",
		ArgsUsage: "DIR",
		Flags:     []cli.Flag{jsonFlag("print one line of JSON")},
		Action: func(c *cli.Context) error {
			dir, err := app.Dir(c)
			if err != nil {
				return err
			}
			return tellInfo(c, dir)
		},
	}
}

// tellInfo prints what the dataset in dir holds.
func tellInfo(c *cli.Context, dir string) error {
	ds, err := datasets.Open(dir)
	if err != nil {
		return err
	}
	info, err := ds.Info()
	if err != nil {
		return err
	}
	if c.Bool("json") {
		return encode.NewJSON(c.App.Writer).Encode(info)
	}
	return printInfo(c.App.Writer, ds.Plan(), info)
}

func printInfo(w io.Writer, p datasets.Plan, info datasets.Info) error {
	state := "complete"
	if !info.Complete {
		state = "not complete"
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "game\t%s, %s against %s, seed %d\n", info.Game, p.Players[0].Spec, p.Players[1].Spec, p.Seed)
	fmt.Fprintf(t, "state\t%s, %d of %d shards\n", state, info.ShardsDone, info.Shards)
	fmt.Fprintf(t, "games\t%d of %d\n", info.Games, info.Target)
	fmt.Fprintf(t, "rows\t%d\n", info.Rows)
	for _, d := range info.Dropped {
		fmt.Fprintf(t, "left out\t%d rows, %s\n", d.Rows, d.Filter)
	}
	fmt.Fprintf(t, "bytes\t%d\n", info.Bytes)
	for _, s := range info.Splits {
		fmt.Fprintf(t, "%s\t%d shards, %d games, %d rows, %d bytes\n", s.Split, s.Shards, s.Games, s.Rows, s.Bytes)
	}
	fmt.Fprintf(t, "board\t%s version %d, %s%s\n", p.Layout, p.LayoutVersion, p.BoardType, seenBy(p))
	fmt.Fprintf(t, "files\t%s, %s\n", p.Format, p.Codec)
	fmt.Fprintf(t, "plan\t%s\n", info.PlanHash)
	return t.Flush()
}

// seenBy tells who sees the board, where that is not the same for both sides.
func seenBy(p datasets.Plan) string {
	if p.Perspective == "" {
		return ""
	}
	return ", seen by the " + p.Perspective
}
