package colfile

import "selfplay/encode"

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
