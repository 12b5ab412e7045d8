package tablefile

import (
	"errors"
	"fmt"
	"slices"

	"selfplay/datasets/rows"
	"selfplay/encode"
)

// PositionColumn replaces the board column.
const PositionColumn = "position"

// texts writes rows with the position as text instead of the board. The text does not
// depend on the perspective of the rows.
type texts struct {
	Writer
	reader rows.TextReader
	board  int // column
	table  *encode.Table
}

// checkTexts returns an error if the boards of a shape have no text.
func checkTexts(s *rows.Shape) error {
	switch {
	case s == nil:
		return errors.New("positions as text need a game that this program knows in the same version")
	case !s.HasText():
		return fmt.Errorf("boards of layout %s cannot be written as text", s.Layout.Name)
	}
	return nil
}

// textColumns returns the columns with the position instead of the board.
func textColumns(columns []encode.Column) []encode.Column {
	columns = slices.Clone(columns)
	columns[encode.ColumnNamed(columns, encode.BoardColumn)] = encode.Column{
		Name: PositionColumn, Kind: encode.String, Len: encode.Var, Doc: "the position before the decision, as the game writes it",
	}
	return columns
}

// newTexts returns a writer of rows that writes to w, whose columns are textColumns.
func newTexts(w Writer, s *rows.Shape, columns []encode.Column) *texts {
	return &texts{
		Writer: w, reader: s.NewTextReader(columns, PositionColumn),
		board: encode.ColumnNamed(columns, PositionColumn), table: encode.NewTable(columns),
	}
}

// Write writes the rows of t. It shares all columns of t but the board.
func (x *texts) Write(t *encode.Table) error {
	x.table.Rows = t.Rows
	for col := range t.Columns {
		if col != x.board {
			x.table.Data[col], x.table.Ends[col] = t.Data[col], t.Ends[col]
		}
	}
	x.table.Data[x.board], x.table.Ends[x.board] = x.table.Data[x.board][:0], x.table.Ends[x.board][:0]
	for row := range t.Rows {
		text, err := x.reader.Text(t, row)
		if err != nil {
			return fmt.Errorf("row %d: %w", row, err)
		}
		x.table.Data[x.board] = append(x.table.Data[x.board], text...)
		x.table.End(x.board)
	}
	return x.Writer.Write(x.table)
}
