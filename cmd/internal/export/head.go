package export

import (
	"bufio"
	"errors"
	"fmt"
	"io"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/app"
	"selfplay/cmd/internal/human"
	"selfplay/cmd/internal/rowflags"
	"selfplay/datasets"
	"selfplay/datasets/rows"
	"selfplay/datasets/tablefile"
	"selfplay/encode"
)

// maxHead bounds --rows, because the rows are held in memory.
const maxHead = 100_000

// maxListValues is the number of values of a list that the table shows.
const maxListValues = 8

func headCommand() *cli.Command {
	return &cli.Command{
		Name:      "head",
		Usage:     "print the first rows of a dataset",
		ArgsUsage: "DIR",
		Description: "Prints a table with moves and positions in the game's notation, or with --json one object per\n" +
			"row with every column.\n\nExamples:\n  export head data/demo\n  export head --rows 3 --json data/demo\n" +
			"  export head --where 'phase=end,score>500' --columns ply,side_name,move,score data/demo",
		Flags: append(columnFlags(),
			app.CountFlag("rows", 10, app.Rows, "print `N` rows"),
			rowflags.WhereFlag("all rows"),
			app.JSONFlagFor("print one JSON object per row, with every column"),
		),
		Action: onDataset(runHead),
	}
}

func runHead(c *cli.Context, dir string) error {
	n := c.Int("rows")
	if n < 1 || n > maxHead {
		return app.Usage("rows %d: want 1 to %s", n, human.Number(maxHead))
	}
	ds, err := datasets.Open(dir)
	if err != nil {
		return err
	}
	shape, unknown := rows.OfDataset(app.Catalog(c).Games, ds)
	if unknown != nil && !errors.Is(unknown, datasets.ErrUnsupported) {
		return unknown
	}
	spec := tablefile.Spec{Source: ds, Shape: shape}
	q, err := queryFrom(c, ds, shape, &spec)
	if err != nil {
		return err
	}
	if err := spec.Check(tablefile.Form{}); err != nil {
		return app.Usage("%v", err)
	}
	t, err := q.Head(c.Context, n)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(c.App.Writer)
	switch {
	case c.Bool("json"):
		err = writeHead(out, t, spec)
	case spec.Fields != nil:
		err = printColumns(out, t, spec)
	default:
		err = printRows(out, t, shape, unknown)
	}
	if err != nil {
		return err
	}
	return out.Flush()
}

// writeHead writes rows as JSON.
func writeHead(out io.Writer, t *encode.Table, spec tablefile.Spec) error {
	jsonl, err := tablefile.Find("jsonl")
	if err != nil {
		return err
	}
	w, err := jsonl.New(out, spec)
	if err == nil {
		err = w.Write(t)
	}
	return err
}

// cellText returns a cell as the table shows it. It shortens long lists.
func cellText(c encode.Column, v []byte) string {
	switch size := c.Kind.Size(); {
	case c.Kind == encode.String:
		return human.Quoted(string(v))
	case c.Len == encode.Scalar:
		return string(tablefile.AppendValue(nil, c.Kind, v))
	case len(v) > maxListValues*size:
		return fmt.Sprintf("[%s …]", tablefile.AppendList(nil, c.Kind, v[:maxListValues*size], ' '))
	}
	return fmt.Sprintf("[%s]", tablefile.AppendList(nil, c.Kind, v, ' '))
}
