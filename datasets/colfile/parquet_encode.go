package colfile

import "encoding/binary"

// encode appends the body of a page of the cells to dst and updates the dictionary and the
// statistics of the chunk. It returns the body and the number of values for the page header.
func (c *chunk) encode(dst []byte, v Cells) (body []byte, values int) {
	column := c.leaf.column
	switch c.leaf.form {
	case plainForm:
		c.extremes.add(column.Kind, v.Values)
		return widen(dst, column.Kind, v.Values), v.Rows
	case bitForm:
		return packBits(dst, v.Values), v.Rows
	case arrayForm:
		dst = append(dst, c.leaf.arrayLevels(v.Rows)...)
		return widen(dst, column.Kind, v.Values), v.Rows * column.Len
	case identityForm:
		size := column.Kind.Size()
		c.set |= bitsSet(v.Values, size)
		values = v.Rows * column.Len
		dst = appendIndexHeader(append(dst, c.leaf.arrayLevels(v.Rows)...), values, size)
		return appendPadding(append(dst, v.Values...), values, size), values
	case labelForm:
		c.extremes.add(column.Kind, v.Values)
		dst = appendIndexHeader(dst, v.Rows, 2)
		return appendPadding(c.labels.appendIndexes(dst, v.Values), v.Rows, 2), v.Rows
	case listForm:
		dst, values = appendListLevels(dst, v.Ends)
		return widen(dst, column.Kind, v.Values), values
	case stringForm:
		return appendStrings(dst, v), v.Rows
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
