package tablefile

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"selfplay/datasets/rows"
	"selfplay/encode"
	"selfplay/engine"
)

// PositionColumn replaces the board column.
const PositionColumn = "position"

// texts writes rows with the position as text instead of the board. The text does not
// depend on the perspective of the rows.
type texts struct {
	Writer
	shape       *rows.Shape
	board, side int
	ply         int
	table       *encode.Table
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
	board, side := encode.ColumnNamed(columns, PositionColumn), encode.ColumnNamed(columns, encode.SideColumn)
	ply := encode.ColumnNamed(columns, encode.PlyColumn)
	return &texts{Writer: w, shape: s, board: board, side: side, ply: ply, table: encode.NewTable(columns)}
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
		text, err := x.shape.Text(t.Cell(x.board, row), engine.Side(t.Data[x.side][row]), int(binary.LittleEndian.Uint16(t.Cell(x.ply, row))))
		if err != nil {
			return fmt.Errorf("row %d: %w", row, err)
		}
		x.table.Data[x.board] = append(x.table.Data[x.board], text...)
		x.table.End(x.board)
	}
	return x.Writer.Write(x.table)
}
