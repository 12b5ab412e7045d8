package colfile

import (
	"encoding/binary"
	"math/bits"

	"github.com/apache/arrow/go/v17/parquet"

	"selfplay/encode"
)

// How large a page is before compression, about. Boards, which resemble the board
// before, pack best (and fastest) in small pages; numbers in large ones.
const (
	pageBytes      = 256 << 10
	arrayPageBytes = 64 << 10
)

// form is how the cells of a column are laid out in a page.
type form uint8

const (
	plainForm  form = iota // one INT32 or INT64 a row
	bitForm                // one bit a row
	bytesForm              // an array as its bytes
	arrayForm              // levels, then all values as INT32 or INT64
	indexForm              // levels, then dictionary indexes that are the values themselves
	labelForm              // dictionary indexes, numbered as the values first occur
	listForm               // levels of lists, then all values as INT32 or INT64
	stringForm             // length and bytes of each row
)

// A leaf lays out the pages of one column.
//
// Arrays of 8- and 16-bit numbers take the form of dictionary indexes. Parquet
// has no such narrow values: as INT32 an array of uint16 is twice its size, and
// everything after that (compression, checksum, check) costs twice the time. An
// index may be as wide as the writer likes; at 16 bits the packed indexes are
// the little-endian values, byte for byte, once the dictionary says that number
// i means i. Readers unpack it as they do any dictionary. It costs four bytes a
// number up to the largest in the row group, once.
type leaf struct {
	column encode.Column
	form   form
	rows   int    // of a full page; 0 where cells differ in size
	levels []byte // of a full page of arrays
}

func newLeaf(c encode.Column, packed bool) *leaf {
	l := &leaf{column: c, form: formOf(c, packed)}
	switch l.form {
	case listForm, stringForm:
	case plainForm, bitForm, labelForm:
		l.rows = pageBytes / physicalSize(c.Kind)
	default: // eight rows have a whole number of bytes however wide an index is
		l.rows = max(8, arrayPageBytes/(c.Len*c.Kind.Size())&^7)
	}
	if l.form == arrayForm || l.form == indexForm {
		l.levels = appendArrayLevels(nil, l.rows, c.Len)
	}
	return l
}

func formOf(c encode.Column, packed bool) form {
	switch {
	case c.Kind == encode.String:
		return stringForm
	case c.Kind == encode.Bool:
		return bitForm
	case c.Len == encode.Scalar && c.Kind == encode.Uint16 && c.Label:
		return labelForm
	case c.Len == encode.Scalar:
		return plainForm
	case c.Len == encode.Var:
		return listForm
	case packed:
		return bytesForm
	case c.Kind == encode.Uint8 || c.Kind == encode.Uint16:
		return indexForm
	}
	return arrayForm
}

// encoding returns the encoding that page headers name.
func (l *leaf) encoding() parquet.Encoding {
	if l.hasDictionary() {
		return parquet.Encodings.RLEDict
	}
	return parquet.Encodings.Plain
}

func (l *leaf) hasDictionary() bool { return l.form == indexForm || l.form == labelForm }

// cellSize returns the bytes of one row of a column of equal cells.
func (l *leaf) cellSize() int { return max(l.column.Len, 1) * l.column.Kind.Size() }

// arrayLevels returns the levels of rows arrays.
func (l *leaf) arrayLevels(rows int) []byte {
	if rows == l.rows {
		return l.levels
	}
	return appendArrayLevels(nil, rows, l.column.Len)
}

// encode appends the body of a page to dst and returns it and the number of
// values that its header states. The cells of labels are their indexes.
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
	case indexForm:
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
	panic("datasets: unknown form")
}

// appendIndexes appends dictionary indexes of size bytes each: their width in
// bits, then one bit-packed run, whose length counts groups of eight.
func appendIndexes(dst, indexes []byte, count, size int) []byte {
	groups := (count + 7) / 8
	dst = append(dst, byte(8*size))
	dst = binary.AppendUvarint(dst, uint64(groups)<<1|1)
	dst = append(dst, indexes...)
	for range groups*8 - count {
		dst = append(dst, make([]byte, size)...)
	}
	return dst
}

// dictionarySize returns how many entries index values need: the power of two
// above them, which is known from the bits that are set anywhere.
func dictionarySize(set uint64) int { return 1 << bits.Len64(set) }

// bitsSet returns the bits that are set in any of the values of size bytes.
func bitsSet(values []byte, size int) uint64 {
	var set uint64
	for ; len(values) >= 8; values = values[8:] {
		set |= binary.LittleEndian.Uint64(values)
	}
	for i, b := range values {
		set |= uint64(b) << (8 * i)
	}
	set |= set >> 32
	set |= set >> 16
	if size == 1 {
		set |= set >> 8
	}
	return set & (1<<(8*size) - 1)
}

// appendIdentity appends the dictionary page in which number i means i.
func appendIdentity(dst []byte, entries int) []byte {
	for i := range entries {
		dst = binary.LittleEndian.AppendUint32(dst, uint32(i))
	}
	return dst
}

func appendStrings(dst []byte, c Cells) []byte {
	start := int32(0)
	for _, end := range c.Ends {
		dst = binary.LittleEndian.AppendUint32(dst, uint32(end-start))
		dst = append(dst, c.Values[start:end]...)
		start = end
	}
	return dst
}

func packBits(dst, values []byte) []byte {
	start := len(dst)
	dst = append(dst, make([]byte, (len(values)+7)/8)...)
	for i, v := range values {
		dst[start+i/8] |= v << (i % 8)
	}
	return dst
}
