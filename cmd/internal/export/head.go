package export

import (
	"bufio"
	"fmt"
	"io"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/app"
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
			"row with every column.\n\nExamples:\n  export head data/demo\n  export head --rows 3 --json data/demo",
		Flags: []cli.Flag{
			app.CountFlag("rows", 10, app.Rows, "print `N` rows"),
			app.JSONFlagFor("print one JSON object per row, with every column"),
		},
		Action: onDataset(runHead),
	}
}

func runHead(c *cli.Context, dir string) error {
	n := c.Int("rows")
	if n < 1 || n > maxHead {
		return app.Usage("rows %d: want 1 to %s", n, app.Number(maxHead))
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
		err = printRowsJSON(out, t, ds.Plan())
	} else {
		err = printRows(out, t, ds.Plan())
	}
	if err != nil {
		return err
	}
	return out.Flush()
}

// printRowsJSON prints one object per row. If this program does not know the game, the
// objects have no members of the position.
func printRowsJSON(w io.Writer, t *encode.Table, p datasets.Plan) error {
	shape, _ := rows.Of(p)
	return tablefile.NewJSON(w, t.Columns, shape).Write(t)
}

// cellText returns a cell as the table shows it. It shortens long lists.
func cellText(c encode.Column, v []byte) string {
	switch size := c.Kind.Size(); {
	case c.Kind == encode.String:
		return app.Quoted(string(v))
	case c.Len == encode.Scalar:
		return string(tablefile.AppendValue(nil, c.Kind, v))
	case len(v) > maxListValues*size:
		return fmt.Sprintf("[%s …]", tablefile.AppendList(nil, c.Kind, v[:maxListValues*size], ' '))
	}
	return fmt.Sprintf("[%s]", tablefile.AppendList(nil, c.Kind, v, ' '))
}
