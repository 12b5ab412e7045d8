package colfile

import (
	"bytes"

	"selfplay/datasets/internal/fault"
)

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
	if d.values, ok = appendLabels(d.values[:0], d.labels, indexes); !ok {
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
	if d.ends, err = appendListEnds(d.ends[:0], rep, def, values); err != nil {
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
