package colfile

import "encoding/binary"

// encode appends the body of a page to dst. It returns the body and the number of values
// for the page header. With labelForm the cells are indexes, not values.
func (l *leaf) encode(dst []byte, c Cells) (body []byte, values int) {
	switch l.form {
	case plainForm:
		return widen(dst, l.column.Kind, c.Values), c.Rows
	case bitForm:
		return packBits(dst, c.Values), c.Rows
	case bytesForm:
		return append(dst, c.Values...), c.Rows
	case arrayForm:
		dst = append(dst, l.arrayLevels(c.Rows)...)
		return widen(dst, l.column.Kind, c.Values), c.Rows * l.column.Len
	case identityForm:
		dst = append(dst, l.arrayLevels(c.Rows)...)
		values = c.Rows * l.column.Len
		return appendIndexes(dst, c.Values, values, l.column.Kind.Size()), values
	case labelForm:
		return appendIndexes(dst, c.Values, c.Rows, l.column.Kind.Size()), c.Rows
	case listForm:
		dst, values = appendListLevels(dst, c.Ends)
		return widen(dst, l.column.Kind, c.Values), values
	case stringForm:
		return appendStrings(dst, c), c.Rows
	}
	panic("colfile: unknown form")
}

// packBits appends values, each 0 or 1, eight per byte, the first in the lowest bit.
func packBits(dst, values []byte) []byte {
	start := len(dst)
	dst = append(dst, make([]byte, (len(values)+7)/8)...)
	for i, v := range values {
		dst[start+i/8] |= v << (i % 8)
	}
	return dst
}

// appendStrings appends each string as its length (uint32) and its bytes.
func appendStrings(dst []byte, c Cells) []byte {
	start := int32(0)
	for _, end := range c.Ends {
		dst = binary.LittleEndian.AppendUint32(dst, uint32(end-start))
		dst = append(dst, c.Values[start:end]...)
		start = end
	}
	return dst
}
