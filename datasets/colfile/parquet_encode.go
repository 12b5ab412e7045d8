package colfile

import (
	"encoding/binary"

	"selfplay/encode"
)

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
	default:
		panic("colfile: unknown form")
	}
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

// extremes are the least and the greatest value of a column chunk, as keys that compare
// as the values do: a signed value has its sign bit flipped.
type extremes struct {
	min, max uint64
	any      bool // there are values
}

// add includes values of an integer kind.
func (e *extremes) add(k encode.Kind, values []byte) {
	if !e.any {
		e.min, e.any = ^uint64(0), true
	}
	lo, hi, sign := e.min, e.max, signBit(k)
	switch k.Size() {
	case 1:
		for _, v := range values {
			key := uint64(v) ^ sign
			lo, hi = min(lo, key), max(hi, key)
		}
	case 2:
		for ; len(values) >= 2; values = values[2:] {
			key := uint64(binary.LittleEndian.Uint16(values)) ^ sign
			lo, hi = min(lo, key), max(hi, key)
		}
	case 4:
		for ; len(values) >= 4; values = values[4:] {
			key := uint64(binary.LittleEndian.Uint32(values))
			lo, hi = min(lo, key), max(hi, key)
		}
	default:
		for ; len(values) >= 8; values = values[8:] {
			key := binary.LittleEndian.Uint64(values)
			lo, hi = min(lo, key), max(hi, key)
		}
	}
	e.min, e.max = lo, hi
}

// signBit returns the sign bit of a signed kind, 0 for the others.
func signBit(k encode.Kind) uint64 {
	if Signed(k) {
		return 1 << (8*k.Size() - 1)
	}
	return 0
}

// statistic returns the value of a key as Parquet's statistics store it: plain.
func statistic(k encode.Kind, key uint64) []byte {
	value := binary.LittleEndian.AppendUint64(nil, key^signBit(k))
	return widen(nil, k, value[:k.Size()])
}
