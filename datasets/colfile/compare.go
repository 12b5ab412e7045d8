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
		if i := firstDifference(want, w, got, g, n, col); i < row {
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

// firstDifference returns the first of n rows in which a column of want and of got differ, or n.
func firstDifference(want *encode.Table, w int, got *encode.Table, g, n, col int) int {
	a, b := cut(want, col, w, w+n), cut(got, col, g, g+n)
	if bytes.Equal(a.Values, b.Values) && slices.Equal(a.Ends, b.Ends) {
		return n
	}
	for i := range n {
		if !bytes.Equal(want.Cell(col, w+i), got.Cell(col, g+i)) {
			return i
		}
	}
	return n
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
