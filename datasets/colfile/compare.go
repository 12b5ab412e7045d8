package colfile

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"

	"selfplay/datasets/internal/fault"
	"selfplay/encode"
)

// CompareRows compares n rows of want, from row w, with n rows of got, from row g. Both
// have the same columns. It returns nil if they are equal, otherwise an ErrCorrupt that
// names the first row that differs, counted in want, its first differing column and
// both values.
func CompareRows(want *encode.Table, w int, got *encode.Table, g, n int) error {
	row, column := n, -1
	for col := range want.Columns {
		if i := firstDifference(cut(want, col, w, w+n), cut(got, col, g, g+n)); i < row {
			row, column = i, col
		}
	}
	if column < 0 {
		return nil
	}
	c := want.Columns[column]
	return fault.Corrupt("row %d: column %s: %s, replay gives %s", w+row, c.Name,
		cellText(c, got.Cell(column, g+row)), cellText(c, want.Cell(column, w+row)))
}

// firstDifference returns the first row in which a and b differ, or a.Rows. Both have
// the same number of rows.
func firstDifference(a, b Cells) int {
	if bytes.Equal(a.Values, b.Values) && slices.Equal(a.Ends, b.Ends) {
		return a.Rows
	}
	for i := range a.Rows {
		x, xLen := a.row(i)
		y, yLen := b.row(i)
		if xLen != yLen || !bytes.Equal(x, y) {
			return i
		}
	}
	return a.Rows
}

// row returns the bytes of one row and, for Var cells, its number of values.
func (c Cells) row(i int) ([]byte, int32) {
	if c.Ends == nil {
		size := len(c.Values) / c.Rows
		return c.Values[i*size : (i+1)*size], 0
	}
	size := len(c.Values) / max(1, int(c.Ends[c.Rows-1]))
	v := c.slice(i, i+1, size)
	return v.Values, v.Ends[0]
}

// cellText formats a cell for an error message.
func cellText(c encode.Column, v []byte) string {
	if c.Kind == encode.String {
		return fmt.Sprintf("%q", v)
	}
	var values []int64
	for size := c.Kind.Size(); len(v) >= size; v = v[size:] {
		var b [8]byte
		copy(b[:], v[:size])
		u := binary.LittleEndian.Uint64(b[:])
		if Signed(c.Kind) { // extend the sign from the top bit of size bytes
			shift := 64 - 8*size
			values = append(values, int64(u<<shift)>>shift)
			continue
		}
		values = append(values, int64(u))
	}
	if c.Len == encode.Scalar {
		return fmt.Sprint(values[0])
	}
	return fmt.Sprint(values)
}
