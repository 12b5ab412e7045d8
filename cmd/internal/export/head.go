package export

import (
	"bufio"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/app"
	"selfplay/datasets"
	"selfplay/datasets/tablefile"
	"selfplay/encode"
)

// maxHead bounds --rows: the rows are held in memory.
const maxHead = 100_000

func headCommand() *cli.Command {
	return &cli.Command{
		Name:      "head",
		Usage:     "print the first positions of a dataset",
		ArgsUsage: "DIR",
		Flags: []cli.Flag{
			&cli.IntFlag{Name: "rows", Value: 10, Usage: "how many"},
			jsonFlag("print one line of JSON a row, with every column"),
		},
		Action: runHead,
	}
}

func runHead(c *cli.Context) error {
	dir, err := app.Dir(c)
	if err != nil {
		return err
	}
	n := c.Int("rows")
	if n < 1 || n > maxHead {
		return app.Usage("rows %d: want 1 to %d", n, maxHead)
	}
	ds, err := datasets.Open(dir)
	if err != nil {
		return err
	}
	t, err := ds.Head(n)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(c.App.Writer)
	if c.Bool("json") {
		err = printJSON(out, t, ds.Plan())
	} else {
		err = printTable(out, t, ds.Plan())
	}
	if err != nil {
		return err
	}
	return out.Flush()
}

// printJSON prints a line a row. A game that this program does not know has
// nothing to say but its columns.
func printJSON(w io.Writer, t *encode.Table, p datasets.Plan) error {
	k, _ := find(p)
	return tablefile.NewJSON(w, t.Columns, k.shape).Write(t)
}

// printTable prints the rows aligned, with the board as the text of the position
// in the last column where this program can read it.
func printTable(w io.Writer, t *encode.Table, p datasets.Plan) error {
	array := encode.ColumnNamed(t.Columns, encode.BoardColumn)
	k, unknown := find(p)
	tab := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for col, c := range t.Columns {
		if col != array {
			fmt.Fprintf(tab, "%s\t", c.Name)
		}
	}
	fmt.Fprintln(tab, "position")
	for row := range t.Rows {
		for col, c := range t.Columns {
			if col != array {
				fmt.Fprintf(tab, "%s\t", text(c, t.Cell(col, row)))
			}
		}
		position := fmt.Sprint(unknown)
		if unknown == nil {
			values, turn := board(t, row)
			var err error
			if position, err = k.position(values, turn); err != nil {
				return fmt.Errorf("row %d: %w", row, err)
			}
		}
		fmt.Fprintln(tab, position)
	}
	return tab.Flush()
}
