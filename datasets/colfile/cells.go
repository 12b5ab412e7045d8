package colfile

import (
	"slices"

	"selfplay/encode"
)

// Cells is a run of consecutive cells of one column, laid out as in an encode.Table. It
// shares memory with the table or the reader it came from.
type Cells struct {
	Rows   int
	Values []byte  // little-endian values, end to end
	Ends   []int32 // Var columns only: after each row, the number of values since the run's first
}

// cut returns rows from to to-1 of a column of t. Values share memory with t.
func cut(t *encode.Table, col, from, to int) Cells {
	c := t.Columns[col]
	if c.Len != encode.Var {
		size := max(c.Len, 1) * c.Kind.Size()
		return Cells{Rows: to - from, Values: t.Data[col][from*size : to*size]}
	}
	return Cells{to - from, t.Data[col], t.Ends[col]}.slice(from, to, c.Kind.Size())
}

// slice returns rows from to to-1 of Var cells whose values have size bytes each.
func (c Cells) slice(from, to, size int) Cells {
	first, last := 0, 0
	if from > 0 {
		first = int(c.Ends[from-1])
	}
	if to > 0 {
		last = int(c.Ends[to-1])
	}
	ends := make([]int32, 0, to-from)
	for _, e := range c.Ends[from:to] {
		ends = append(ends, e-int32(first))
	}
	return Cells{to - from, c.Values[first*size : last*size], ends}
}

// Reserve makes room for rows that will be appended to a column of t, so that it grows once. The
// values of lists and strings take room when they are appended, and so does what exceeds maxReserve.
func Reserve(t *encode.Table, col, rows int) {
	c := t.Columns[col]
	if c.Len == encode.Var {
		t.Ends[col] = slices.Grow(t.Ends[col], rows)
		return
	}
	t.Data[col] = slices.Grow(t.Data[col], min(rows*max(c.Len, 1)*c.Kind.Size(), maxReserve))
}

// AppendCells appends a copy of v to column col of t. It does not change t.Rows: the
// caller counts the rows once all columns have them.
func AppendCells(t *encode.Table, col int, v Cells) {
	base := int32(len(t.Data[col]) / t.Columns[col].Kind.Size())
	for _, end := range v.Ends {
		t.Ends[col] = append(t.Ends[col], base+end)
	}
	t.Data[col] = append(t.Data[col], v.Values...)
}

// AppendRows appends a copy of rows from to to-1 of src to dst. Both have the same
// columns.
func AppendRows(dst, src *encode.Table, from, to int) {
	for col := range src.Columns {
		AppendCells(dst, col, cut(src, col, from, to))
	}
	dst.Rows += to - from
}

// AppendPicked appends copies of some rows of src to dst, in the given order. Both have the same
// columns.
func AppendPicked(dst, src *encode.Table, rows []int) {
	for col, c := range src.Columns {
		if c.Len == encode.Var {
			for _, row := range rows {
				AppendCells(dst, col, cut(src, col, row, row+1))
			}
			continue
		}
		dst.Data[col] = appendPicked(dst.Data[col], src.Data[col], rows, max(c.Len, 1)*c.Kind.Size())
	}
	dst.Rows += len(rows)
}

// appendPicked appends cells of size bytes each. Most columns are small numbers, whose copies
// need no call.
func appendPicked(dst, src []byte, rows []int, size int) []byte {
	switch size {
	case 1:
		for _, row := range rows {
			dst = append(dst, src[row])
		}
	case 2:
		for _, row := range rows {
			dst = append(dst, src[2*row], src[2*row+1])
		}
	default:
		for _, row := range rows {
			dst = append(dst, src[row*size:(row+1)*size]...)
		}
	}
	return dst
}
