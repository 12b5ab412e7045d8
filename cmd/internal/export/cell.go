package export

import (
	"fmt"

	"selfplay/datasets/tablefile"
	"selfplay/encode"
	"selfplay/engine"
)

// text returns a cell as the table shows it: of a list, the beginning.
func text(c encode.Column, v []byte) string {
	const most = 8 // values
	switch size := c.Kind.Size(); {
	case c.Kind == encode.String:
		return string(v)
	case c.Len == encode.Scalar:
		return string(tablefile.AppendValue(nil, c.Kind, v))
	case len(v) > most*size:
		return fmt.Sprintf("[%s …]", tablefile.AppendList(nil, c.Kind, v[:most*size], ' '))
	}
	return fmt.Sprintf("[%s]", tablefile.AppendList(nil, c.Kind, v, ' '))
}

// board returns the values of a row's board and the side to move there. Every
// positions table has both columns.
func board(t *encode.Table, row int) (values []byte, turn engine.Side) {
	board, side := encode.ColumnNamed(t.Columns, encode.BoardColumn), encode.ColumnNamed(t.Columns, encode.SideColumn)
	return t.Cell(board, row), engine.Side(t.Cell(side, row)[0])
}
