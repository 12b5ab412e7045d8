package program

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/human"
	"selfplay/datasets"
	"selfplay/datasets/rows"
	"selfplay/datasets/tablefile"
	"selfplay/encode"
	"selfplay/engine"
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
			countFlag("rows", 10, groupRows, "print `N` rows"),
			whereFlag("all rows"),
			jsonFlagFor("print one JSON object per row, with every column"),
		),
		Action: onDataset(runHead),
	}
}

func runHead(c *cli.Context, dir string) error {
	n := c.Int("rows")
	if n < 1 || n > maxHead {
		return usagef("rows %d: want 1 to %s", n, human.Number(maxHead))
	}
	ds, err := datasets.Open(dir)
	if err != nil {
		return err
	}
	shape, unknown := rows.OfDataset(catalogOf(c).Games, ds)
	if unknown != nil && !errors.Is(unknown, datasets.ErrUnsupported) {
		return unknown
	}
	spec := tablefile.Spec{Source: ds, Shape: shape}
	q, err := queryFrom(c, ds, shape, &spec)
	if err != nil {
		return err
	}
	if err := spec.Check(tablefile.Form{}); err != nil {
		return usagef("%v", err)
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
	size := c.Kind.Size()
	switch {
	case c.Kind == encode.String:
		return human.Quoted(string(v))
	case c.Len == encode.Scalar:
		return string(tablefile.AppendValue(nil, c.Kind, v))
	case len(v) > maxListValues*size:
		return fmt.Sprintf("[%s …]", tablefile.AppendList(nil, c.Kind, v[:maxListValues*size], ' '))
	}
	return fmt.Sprintf("[%s]", tablefile.AppendList(nil, c.Kind, v, ' '))
}

// printRows prints a table without the boards. The text of the move follows its action
// number. The last column is the position in the game's notation, or why there is none: shape
// is nil then if unknown says why.
func printRows(w io.Writer, t *encode.Table, shape *rows.Shape, unknown error) error {
	texts, tab := newRowTexts(t, shape, unknown), tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	texts.printLine(tab, func(col int) string { return t.Columns[col].Name }, moveTexts{encode.MoveColumn, "san"}, "position")
	for row := range t.Rows {
		move, position, err := texts.of(row)
		if err != nil {
			return fmt.Errorf("row %d: %w", row, err)
		}
		texts.printLine(tab, func(col int) string { return cellText(t.Columns[col], t.Cell(col, row)) }, move, position)
	}
	return tab.Flush()
}

// printColumns prints the chosen columns of a table.
func printColumns(w io.Writer, t *encode.Table, spec tablefile.Spec) error {
	lines := &columnLines{tab: tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)}
	rows := spec.Wrap(func(columns []encode.Column) tablefile.Writer {
		lines.print(func(col int) string { return columns[col].Name }, len(columns))
		return lines
	})
	if err := rows.Write(t); err != nil {
		return err
	}
	return rows.Close()
}

// columnLines prints rows, one a line.
type columnLines struct{ tab *tabwriter.Writer }

func (l *columnLines) print(cell func(col int) string, n int) {
	for col := range n {
		separator := "\t"
		if col == n-1 {
			separator = "\n"
		}
		fmt.Fprint(l.tab, cell(col), separator)
	}
}

// Write prints the rows of t.
func (l *columnLines) Write(t *encode.Table) error {
	for row := range t.Rows {
		l.print(func(col int) string { return cellText(t.Columns[col], t.Cell(col, row)) }, len(t.Columns))
	}
	return nil
}

// Close aligns the columns and prints the table.
func (l *columnLines) Close() error { return l.tab.Flush() }

// rowTexts makes the texts of the rows of a table.
type rowTexts struct {
	table               *encode.Table
	board, side, action int // indexes of columns
	// shape is nil if rows have no text; position says why.
	shape    *rows.Shape
	reader   rows.TextReader
	position string
	pos      engine.Position
	// programs is set if the table has no moves in the notation of programs, and people if the game has another notation.
	programs, people bool
}

// moveTexts are the texts of a move.
type moveTexts struct{ program, people string }

func newRowTexts(t *encode.Table, shape *rows.Shape, unknown error) *rowTexts {
	x := &rowTexts{table: t,
		board: encode.ColumnNamed(t.Columns, encode.BoardColumn), side: encode.ColumnNamed(t.Columns, encode.SideColumn),
		action: encode.ColumnNamed(t.Columns, encode.ActionColumn),
	}
	switch {
	case unknown != nil:
		x.position = unknown.Error()
	case !shape.HasText():
		x.position = "not in layout " + shape.Layout.Name
	default:
		x.shape, x.pos = shape, shape.Game.New(shape.Variant)
		x.reader = shape.NewTextReader(t.Columns, encode.BoardColumn)
		x.programs = encode.ColumnNamed(t.Columns, encode.MoveColumn) < 0
		x.people = encode.HasSAN(x.pos)
	}
	return x
}

// printLine prints a line of the table: the columns but the board, the texts of the move behind its
// action number, and the position.
func (x *rowTexts) printLine(w io.Writer, column func(col int) string, move moveTexts, position string) {
	for col := range x.table.Columns {
		if col != x.board {
			fmt.Fprintf(w, "%s\t", column(col))
		}
		if col == x.action && x.programs {
			fmt.Fprintf(w, "%s\t", move.program)
		}
		if col == x.action && x.people {
			fmt.Fprintf(w, "%s\t", move.people)
		}
	}
	fmt.Fprintln(w, position)
}

// of returns the move and the position of a row as text.
func (x *rowTexts) of(row int) (move moveTexts, position string, err error) {
	if x.shape == nil {
		return move, x.position, nil
	}
	t := x.table
	position, err = x.reader.Text(t, row)
	if err != nil {
		return move, "", err
	}
	action := x.shape.AbsoluteAction(binary.LittleEndian.Uint16(t.Cell(x.action, row)), engine.Side(t.Cell(x.side, row)[0]))
	if err := x.pos.Set(position); err != nil {
		return move, "", err
	}
	m, err := x.shape.Game.Actions.Move(x.pos, action)
	if err != nil {
		return move, "", err
	}
	return moveTexts{x.pos.FormatMove(m), encode.MoveText(x.pos, m)}, position, nil
}
