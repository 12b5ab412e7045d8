package tablefile

import (
	"errors"
	"fmt"
	"slices"

	"selfplay/datasets/rows"
	"selfplay/encode"
	"selfplay/engine"
)

// positionColumn stands in place of the board.
const positionColumn = "position"

// texts writes rows with the text of the position in place of the board, the same for
// whoever sees the board.
type texts struct {
	Writer
	shape       *rows.Shape
	board, side int
	table       *encode.Table
}

// checkTexts reports why boards of a shape have no text.
func checkTexts(s *rows.Shape) error {
	switch {
	case s == nil:
		return errors.New("boards of a game or version that this program does not know have no text")
	case s.Layout.Decode == nil:
		return fmt.Errorf("boards of layout %s have no text", s.Layout.Name)
	}
	return nil
}

// textColumns returns columns with the position in place of the board.
func textColumns(columns []encode.Column) []encode.Column {
	columns = slices.Clone(columns)
	columns[encode.ColumnNamed(columns, encode.BoardColumn)] = encode.Column{
		Name: positionColumn, Kind: encode.String, Len: encode.Var, Doc: "the position before the decision, as the game writes it",
	}
	return columns
}

// newTexts returns a writer to w, which has textColumns.
func newTexts(w Writer, s *rows.Shape, columns []encode.Column) *texts {
	return &texts{Writer: w, shape: s, board: encode.ColumnNamed(columns, positionColumn), side: encode.ColumnNamed(columns, encode.SideColumn), table: encode.NewTable(columns)}
}

// Write appends the rows of t. All columns but one are those of t itself.
func (x *texts) Write(t *encode.Table) error {
	x.table.Rows = t.Rows
	for col := range t.Columns {
		if col != x.board {
			x.table.Data[col], x.table.Ends[col] = t.Data[col], t.Ends[col]
		}
	}
	x.table.Data[x.board], x.table.Ends[x.board] = x.table.Data[x.board][:0], x.table.Ends[x.board][:0]
	for row := range t.Rows {
		side := engine.Side(t.Data[x.side][row])
		text, err := x.shape.Layout.Decode(x.shape.Absolute(t.Cell(x.board, row), side), side)
		if err != nil {
			return fmt.Errorf("row %d: %w", row, err)
		}
		x.table.Data[x.board] = append(x.table.Data[x.board], text...)
		x.table.End(x.board)
	}
	return x.Writer.Write(x.table)
}
