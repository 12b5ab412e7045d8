package colfile

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"selfplay/datasets/internal/fault"

	"github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/file"
)

// leafDecoder undoes leaf.encode. What it returns is valid until the next page.
type leafDecoder struct {
	*leaf
	entries  int    // of the dictionary
	labels   labels // the dictionary of labelForm
	values   []byte
	ends     []int32
	rep, def []byte
}

// next returns the cells of the next data page, or io.EOF.
func (d *leafDecoder) next(pages file.PageReader) (_ Cells, err error) {
	defer fault.RecoverCorrupt(&err)
	for pages.Next() {
		switch p := pages.Page().(type) {
		case *file.DictionaryPage:
			if err := d.setDictionary(p.Data(), parquet.Encoding(p.Encoding())); err != nil {
				return Cells{}, err
			}
		case *file.DataPageV1:
			return d.decode(p.Data(), int(p.NumValues()), parquet.Encoding(p.Encoding()))
		default:
			return Cells{}, fault.Corrupt("a page of another kind")
		}
	}
	if err := pages.Err(); err != nil {
		return Cells{}, fault.Corrupt("%w", err)
	}
	return Cells{}, io.EOF
}

// setDictionary reads the dictionary of labels, or checks that of indexes: number
// i means i.
func (d *leafDecoder) setDictionary(body []byte, e parquet.Encoding) error {
	d.entries = len(body) / 4
	if d.form == labelForm && e == parquet.Encodings.Plain {
		if !d.labels.setPage(body) {
			return fault.Corrupt("a dictionary of other numbers than %v", d.column.Kind)
		}
		return nil
	}
	if d.form != indexForm || e != parquet.Encodings.Plain || !bytes.Equal(body, appendIdentity(nil, d.entries)) {
		return fault.Corrupt("a dictionary that is not the identity")
	}
	return nil
}

// decode returns the cells of a page whose header states values.
func (d *leafDecoder) decode(body []byte, values int, e parquet.Encoding) (Cells, error) {
	if e != d.encoding() {
		return Cells{}, fault.Corrupt("a page of encoding %v, want %v", e, d.encoding())
	}
	if values < 0 || values > d.most(body) {
		return Cells{}, errPageSize(body, values)
	}
	switch d.form {
	case plainForm:
		return d.plain(body, values, values)
	case bitForm:
		return d.bits(body, values)
	case bytesForm:
		if len(body) != values*d.cellSize() {
			return Cells{}, errPageSize(body, values)
		}
		return Cells{Rows: values, Values: body}, nil
	case arrayForm, indexForm:
		return d.arrays(body, values)
	case labelForm:
		return d.labelled(body, values)
	case listForm:
		return d.lists(body, values)
	case stringForm:
		return d.strings(body, values)
	}
	panic("datasets: unknown form")
}

// most returns how many values a page can have: headers lie.
func (d *leafDecoder) most(body []byte) int {
	switch d.form {
	case listForm, stringForm: // rows that are empty, and values that take some bytes
		return PositionsGroup + len(body)
	}
	return d.rows * max(d.column.Len, 1)
}

func errPageSize(body []byte, values int) error {
	return fault.Corrupt("a page of %d values has %d bytes", values, len(body))
}

// plain decodes values integers, the values of rows rows.
func (d *leafDecoder) plain(body []byte, values, rows int) (Cells, error) {
	kind := d.column.Kind
	if len(body) != values*physicalSize(kind) {
		return Cells{}, errPageSize(body, values)
	}
	if kind.Size() == physicalSize(kind) {
		return Cells{Rows: rows, Values: body}, nil
	}
	var fits bool
	if d.values, fits = narrow(d.values[:0], kind, body); !fits {
		return Cells{}, fault.Corrupt("a value that is no %v", kind)
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

// arrays decodes a page of arrays. Their levels are known beforehand.
func (d *leafDecoder) arrays(body []byte, values int) (Cells, error) {
	rows := values / d.column.Len
	levels := d.arrayLevels(rows)
	if rows*d.column.Len != values || !bytes.HasPrefix(body, levels) {
		return Cells{}, fault.Corrupt("levels that are not of %d arrays", rows)
	}
	body = body[len(levels):]
	if d.form == arrayForm {
		return d.plain(body, values, rows)
	}
	return d.indexes(body, values, rows)
}

// indexes decodes indexes, which are the values.
func (d *leafDecoder) indexes(body []byte, values, rows int) (Cells, error) {
	body, err := d.cutIndexes(body, values)
	if err != nil {
		return Cells{}, err
	}
	if dictionarySize(bitsSet(body, d.column.Kind.Size())) > d.entries {
		return Cells{}, fault.Corrupt("an index beyond the dictionary")
	}
	return Cells{Rows: rows, Values: body}, nil
}

// labelled decodes indexes of a dictionary.
func (d *leafDecoder) labelled(body []byte, values int) (Cells, error) {
	body, err := d.cutIndexes(body, values)
	if err != nil {
		return Cells{}, err
	}
	var known bool
	if d.values, known = d.labels.lookUp(d.values[:0], body); !known {
		return Cells{}, fault.Corrupt("an index beyond the dictionary")
	}
	return Cells{Rows: values, Values: d.values}, nil
}

// cutIndexes returns the indexes of a page without what stands before and behind.
func (d *leafDecoder) cutIndexes(body []byte, values int) ([]byte, error) {
	size := d.column.Kind.Size()
	head := appendIndexes(nil, nil, values, size) // with padding, which is as long as ours
	padding := ((values+7)/8*8 - values) * size
	head = head[:len(head)-padding]
	if len(body) != len(head)+values*size+padding || !bytes.HasPrefix(body, head) {
		return nil, errPageSize(body, values)
	}
	return body[len(head) : len(head)+values*size], nil
}

func (d *leafDecoder) lists(body []byte, values int) (_ Cells, err error) {
	rep, body, err := cutLevels(body)
	if err != nil {
		return Cells{}, err
	}
	def, body, err := cutLevels(body)
	if err != nil {
		return Cells{}, err
	}
	if d.rep, err = unpackLevels(d.rep[:0], rep, values); err != nil {
		return Cells{}, err
	}
	if d.def, err = unpackLevels(d.def[:0], def, values); err != nil {
		return Cells{}, err
	}
	if d.ends, err = listEnds(d.ends, d.rep, d.def); err != nil {
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

func (d *leafDecoder) strings(body []byte, values int) (Cells, error) {
	d.values, d.ends = d.values[:0], d.ends[:0]
	for range values {
		if len(body) < 4 {
			return Cells{}, errPageSize(body, values)
		}
		n := binary.LittleEndian.Uint32(body)
		body = body[4:]
		if uint64(n) > uint64(len(body)) {
			return Cells{}, fmt.Errorf("string: %w", errPageSize(body, values))
		}
		d.values = append(d.values, body[:n]...)
		d.ends = append(d.ends, int32(len(d.values)))
		body = body[n:]
	}
	if len(body) > 0 {
		return Cells{}, errPageSize(body, values)
	}
	return Cells{values, d.values, d.ends}, nil
}
