package colfile

import (
	"bytes"
	"encoding/binary"

	"github.com/apache/arrow/go/v17/parquet"

	"selfplay/datasets/internal/fault"
)

// leafDecoder decodes the pages of one column chunk. The cells it returns are valid
// until the next page.
type leafDecoder struct {
	*leaf
	entries int      // of the dictionary
	labels  []uint16 // labelForm: the dictionary
	values  []byte
	ends    []int32
}

// setDictionary reads the dictionary of labels, or checks the identity dictionary.
func (d *leafDecoder) setDictionary(body []byte, e parquet.Encoding) (err error) {
	defer fault.RecoverCorrupt(&err)
	if !d.hasDictionary() || e != parquet.Encodings.Plain {
		return fault.Corrupt("dictionary of encoding %v in a column of %v", e, d.encoding())
	}
	d.entries = len(body) / 4
	if d.form == identityForm {
		if !bytes.Equal(body, appendIdentity(nil, d.entries)) {
			return fault.Corrupt("dictionary is not the identity")
		}
		return nil
	}
	var ok bool
	d.labels, ok = parseLabels(body)
	if !ok {
		return fault.Corrupt("dictionary has values out of range of %v", d.column.Kind)
	}
	return nil
}

// decode returns the cells of a page with the values and the encoding of its header.
func (d *leafDecoder) decode(body []byte, values int, e parquet.Encoding) (_ Cells, err error) {
	defer fault.RecoverCorrupt(&err)
	if e != d.encoding() {
		return Cells{}, fault.Corrupt("page of encoding %v, want %v", e, d.encoding())
	}
	if values < 0 || values > d.maxValues(body) {
		return Cells{}, errPageSize(body, values)
	}
	switch d.form {
	case plainForm:
		return d.plain(body, values, values)
	case bitForm:
		return d.bits(body, values)
	case bytesForm:
		return d.bytes(body, values)
	case arrayForm, identityForm:
		return d.arrays(body, values)
	case labelForm:
		return d.labelled(body, values)
	case listForm:
		return d.lists(body, values)
	case stringForm:
		return d.strings(body, values)
	}
	panic("colfile: unknown form")
}

// maxValues bounds the values of a page, because a damaged header may state any number.
func (d *leafDecoder) maxValues(body []byte) int {
	switch d.form {
	case listForm, stringForm: // a value takes a byte or more, an empty row none
		return PositionGroupRows + len(body)
	default:
		return d.pageRows * max(d.column.Len, 1)
	}
}

func errPageSize(body []byte, values int) error {
	return fault.Corrupt("page of %d values has %d bytes", values, len(body))
}

// plain decodes a page of integers that belong to rows rows.
func (d *leafDecoder) plain(body []byte, values, rows int) (Cells, error) {
	kind := d.column.Kind
	if len(body) != values*physicalSize(kind) {
		return Cells{}, errPageSize(body, values)
	}
	if kind.Size() == physicalSize(kind) {
		return Cells{Rows: rows, Values: body}, nil
	}
	var fits bool
	d.values, fits = narrow(d.values[:0], kind, body)
	if !fits {
		return Cells{}, fault.Corrupt("value out of range of %v", kind)
	}
	return Cells{Rows: rows, Values: d.values}, nil
}

func (d *leafDecoder) bits(body []byte, values int) (Cells, error) {
	if len(body) != (values+7)/8 {
		return Cells{}, errPageSize(body, values)
	}
	d.values = d.values[:0]
	for i := range values {
		d.values = append(d.values, body[i/8]>>(i%8)&1)
	}
	return Cells{Rows: values, Values: d.values}, nil
}

func (d *leafDecoder) bytes(body []byte, rows int) (Cells, error) {
	if len(body) != rows*d.cellSize() {
		return Cells{}, errPageSize(body, rows)
	}
	return Cells{Rows: rows, Values: body}, nil
}

func (d *leafDecoder) strings(body []byte, rows int) (Cells, error) {
	d.values, d.ends = d.values[:0], d.ends[:0]
	rest := body
	for range rows {
		if len(rest) < 4 {
			return Cells{}, errPageSize(body, rows)
		}
		n := binary.LittleEndian.Uint32(rest)
		rest = rest[4:]
		if uint64(n) > uint64(len(rest)) {
			return Cells{}, errPageSize(body, rows)
		}
		d.values = append(d.values, rest[:n]...)
		d.ends = append(d.ends, int32(len(d.values)))
		rest = rest[n:]
	}
	if len(rest) > 0 {
		return Cells{}, errPageSize(body, rows)
	}
	return Cells{rows, d.values, d.ends}, nil
}

// arrays decodes a page of arrays. Their lengths are known, so the levels must be
// exactly those that the writer gives this number of arrays.
func (d *leafDecoder) arrays(body []byte, values int) (Cells, error) {
	rows := values / d.column.Len
	levels := d.arrayLevels(rows)
	if rows*d.column.Len != values || !bytes.HasPrefix(body, levels) {
		return Cells{}, fault.Corrupt("levels do not describe %d arrays of %d values", rows, d.column.Len)
	}
	body = body[len(levels):]
	if d.form == arrayForm {
		return d.plain(body, values, rows)
	}
	return d.identity(body, values, rows)
}

// identity decodes indexes into the identity dictionary: they are the values.
func (d *leafDecoder) identity(body []byte, values, rows int) (Cells, error) {
	size := d.column.Kind.Size()
	indexes, err := cutIndexes(body, values, size)
	if err != nil {
		return Cells{}, err
	}
	if d.entries < 1<<(8*size) && identitySize(bitsSet(indexes, size)) > d.entries {
		return Cells{}, fault.Corrupt("index outside the dictionary")
	}
	return Cells{Rows: rows, Values: indexes}, nil
}

// labelled decodes indexes into the dictionary of labels.
func (d *leafDecoder) labelled(body []byte, values int) (Cells, error) {
	indexes, err := cutIndexes(body, values, 2)
	if err != nil {
		return Cells{}, err
	}
	var ok bool
	d.values, ok = appendLabels(d.values[:0], d.labels, indexes)
	if !ok {
		return Cells{}, fault.Corrupt("index outside the dictionary")
	}
	return Cells{Rows: values, Values: d.values}, nil
}

// cutIndexes returns the indexes of a page, of size bytes each, without the header and the
// padding of their run.
func cutIndexes(body []byte, values, size int) ([]byte, error) {
	head := appendIndexHeader(nil, values, size)
	if len(body) != len(head)+indexGroups(values)*8*size || !bytes.HasPrefix(body, head) {
		return nil, errPageSize(body, values)
	}
	return body[len(head) : len(head)+values*size], nil
}

// lists decodes a page of lists. values counts an empty list as one.
func (d *leafDecoder) lists(body []byte, values int) (_ Cells, err error) {
	rep, body, err := cutLevels(body)
	if err != nil {
		return Cells{}, err
	}
	def, body, err := cutLevels(body)
	if err != nil {
		return Cells{}, err
	}
	d.ends, err = appendListEnds(d.ends[:0], rep, def, values)
	if err != nil {
		return Cells{}, err
	}
	stored := 0
	if n := len(d.ends); n > 0 {
		stored = int(d.ends[n-1])
	}
	c, err := d.plain(body, stored, len(d.ends))
	c.Ends = d.ends
	return c, err
}
