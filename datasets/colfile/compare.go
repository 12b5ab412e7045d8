package colfile

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"selfplay/datasets/internal/fault"
	"selfplay/encode"
	"slices"
)

// compareRows compares n rows and names the first that differs.
func CompareRows(want *encode.Table, w int, got *encode.Table, g, n int) error {
	row, column := n, -1
	for col := range want.Columns {
		if i := firstDifference(Cut(want, col, w, w+n), Cut(got, col, g, g+n)); i < row {
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

// firstDifference returns the first row in which a and b differ, or how many
// there are.
func firstDifference(a, b Cells) int {
	if bytes.Equal(a.Values, b.Values) && slices.Equal(a.Ends, b.Ends) {
		return a.Rows
	}
	row := func(c Cells, i int) ([]byte, int32) {
		if c.Ends == nil {
			size := len(c.Values) / c.Rows
			return c.Values[i*size : (i+1)*size], 0
		}
		v := c.Slice(i, i+1, len(c.Values)/max(1, int(c.Ends[c.Rows-1])))
		return v.Values, v.Ends[0]
	}
	for i := range a.Rows {
		x, nx := row(a, i)
		y, ny := row(b, i)
		if nx != ny || !bytes.Equal(x, y) {
			return i
		}
	}
	return a.Rows
}

// cellText writes a cell for a message.
func cellText(c encode.Column, v []byte) string {
	if c.Kind == encode.String {
		return fmt.Sprintf("%q", v)
	}
	var values []int64
	for size := c.Kind.Size(); len(v) >= size; v = v[size:] {
		var b [8]byte
		copy(b[:], v[:size])
		u := binary.LittleEndian.Uint64(b[:])
		if Signed(c.Kind) { // the sign stands in the top bit of size bytes
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
