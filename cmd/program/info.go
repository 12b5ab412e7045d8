package program

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/human"
	"selfplay/datasets"
	"selfplay/datasets/plan"
	"selfplay/encode"
	"selfplay/engine/nnue/nets"
)

func infoCommand() *cli.Command {
	return &cli.Command{
		Name:        "info",
		Usage:       "print the totals of a dataset, also while it is being made",
		ArgsUsage:   "DIR",
		Description: "Reads commit records and journals only, so it is fast for any size.\nWithout .selfplay/ it prints what manifest.json says.\n\nExamples:\n  selfplay info data/demo\n  selfplay info --json data/demo",
		Flags:       []cli.Flag{jsonFlag()},
		Action:      onDataset(printInfoOf),
	}
}

// printInfoOf prints the totals of the dataset in dir.
func printInfoOf(c *cli.Context, dir string) error {
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

func printInfo(w io.Writer, p plan.Plan, info datasets.Info) error {
	state := "complete"
	if !info.Complete {
		state = "incomplete"
	}
	if info.FromManifest {
		state += " by manifest.json, without .selfplay/"
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "game\t%s, %s against %s, seed %d\n", human.Quoted(info.Game), human.Quoted(nets.Shown(p.Players[0].Spec)), human.Quoted(nets.Shown(p.Players[1].Spec)), p.Seed)
	if p.Variant != "" {
		fmt.Fprintf(t, "variant\t%s\n", human.Quoted(p.Variant))
	}
	fmt.Fprintf(t, "state\t%s, %s of %s\n", state, human.Number(info.ShardsDone), human.Count(info.Shards, "shard"))
	fmt.Fprintf(t, "games\t%s of %s\n", human.Number(info.GamesDone), human.Number(info.Target))
	if info.Journaled > 0 {
		fmt.Fprintf(t, "journals\t%s of unfinished shards\n", human.Count(info.Journaled, "finished game"))
	}
	fmt.Fprintf(t, "rows\t%s\n", human.Number(info.Rows))
	for _, d := range info.Dropped {
		fmt.Fprintf(t, "dropped\t%s, %s\n", human.Count(d.Rows, "row"), human.Quoted(d.Filter))
	}
	fmt.Fprintf(t, "bytes\t%s, %.2f per row of positions\n", human.Number(info.Bytes), info.BytesPerRow())
	for _, s := range info.Splits {
		fmt.Fprintf(t, "%s\t%s, %s, %s, %s\n", s.Split, human.Count(s.Shards, "shard"), human.Count(s.Games, "game"), human.Count(s.Rows, "row"), human.Count(s.Bytes, "byte"))
	}
	fmt.Fprintf(t, "board\t%s version %d, %s%s\n", human.Quoted(p.Layout), p.LayoutVersion, human.Quoted(p.BoardType), perspectiveText(p))
	fmt.Fprintf(t, "files\t%s, %s\n", human.Quoted(p.Format), human.Quoted(p.Codec))
	fmt.Fprintf(t, "plan\t%s\n", info.PlanHash)
	return t.Flush()
}

// perspectiveText names the perspective if it is not the board's.
func perspectiveText(p plan.Plan) string {
	if p.Perspective == "" {
		return ""
	}
	return ", perspective " + human.Quoted(p.Perspective)
}

func actionsCommand(games encode.Catalog) *cli.Command {
	return &cli.Command{
		Name:        "actions",
		Usage:       "print the meaning of the action numbers of a game, as CSV",
		Description: "After a header, each line describes an action: its number, from, to and kind.\n\nExamples:\n  selfplay actions --game chess",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "game", Category: groupGame, Usage: "`NAME` of the game: " + strings.Join(games.Names(), ", ")},
		},
		Action: runActions,
	}
}

func runActions(c *cli.Context) error {
	if err := noArgs(c); err != nil {
		return err
	}
	name, err := required(c, "game")
	if err != nil {
		return err
	}
	game, err := findGame(catalogOf(c).Games, name)
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
