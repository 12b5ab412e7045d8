package colfile

import (
	"github.com/apache/arrow/go/v17/parquet"

	"selfplay/encode"
)

// Approximate size of a page before compression. A board resembles the one before it, so
// boards compress best and fastest in small pages; counters do in large ones. A page of at most
// 128 KiB is one block of zstd, which the encoder compresses without keeping a history.
const (
	pageBytes      = 256 << 10
	blockPageBytes = 112 << 10 // labels, lists and strings, which have few matches
	arrayPageBytes = 64 << 10
)

// form is the page layout of a column.
type form uint8

const (
	plainForm    form = iota // one INT32 or INT64 per row
	bitForm                  // one bit per row
	bytesForm                // the little-endian bytes of each array
	arrayForm                // levels of arrays, then the values as INT32 or INT64
	identityForm             // levels of arrays, then indexes into the identity dictionary
	labelForm                // one index per row into the dictionary of labels
	listForm                 // levels of lists, then the values as INT32 or INT64
	stringForm               // length and bytes of each row
)

// leaf lays out the pages of one column.
//
// Arrays of uint8 and uint16 take identityForm, because Parquet has no narrow integers:
// as INT32 an array of uint16 is twice its size, and compression, checksum and
// verification take twice the time. A dictionary index may be as wide as the writer
// likes. At 16 bits the packed indexes are the little-endian values, byte for byte, if
// entry i of the dictionary is i. Readers unpack them like any dictionary. The
// dictionary costs four bytes per number up to the largest one, once per row group.
type leaf struct {
	column   encode.Column
	form     form
	pageRows int    // rows of a full page; 0 if cells differ in size
	levels   []byte // arrayForm and identityForm: the levels of a full page
}

func newLeaf(c encode.Column, packed bool) *leaf {
	l := &leaf{column: c, form: formOf(c, packed)}
	switch l.form {
	case listForm, stringForm:
	case plainForm, bitForm:
		l.pageRows = pageBytes / physicalSize(c.Kind)
	case labelForm:
		l.pageRows = blockPageBytes / c.Kind.Size()
	default: // a multiple of eight rows fills whole groups of eight indexes
		l.pageRows = max(8, arrayPageBytes/(c.Len*c.Kind.Size())&^7)
	}
	if l.form == arrayForm || l.form == identityForm {
		l.levels = appendArrayLevels(nil, l.pageRows, c.Len)
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
		return identityForm
	}
	return arrayForm
}

// encoding returns the encoding that page headers state.
func (l *leaf) encoding() parquet.Encoding {
	if l.hasDictionary() {
		return parquet.Encodings.RLEDict
	}
	return parquet.Encodings.Plain
}

func (l *leaf) hasDictionary() bool { return l.form == identityForm || l.form == labelForm }

// cellSize returns the bytes of one row. The column is not Var.
func (l *leaf) cellSize() int { return max(l.column.Len, 1) * l.column.Kind.Size() }

// arrayLevels returns the levels of a page of rows arrays.
func (l *leaf) arrayLevels(rows int) []byte {
	if rows == l.pageRows {
		return l.levels
	}
	return appendArrayLevels(nil, rows, l.column.Len)
}
