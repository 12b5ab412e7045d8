package colfile

import (
	"slices"

	"github.com/apache/arrow/go/v17/parquet"

	"selfplay/datasets/internal/fault"
)

// Scan decodes one column of a row group, page by page.
func (p *parquetReader) Scan(group, col int, visit func(Cells)) error {
	rows := int(p.file.RowGroup(group).NumRows())
	s := pageScan{leafDecoder: leafDecoder{leaf: p.leaves[col]}, p: p, visit: func(first int, v Cells) error {
		if first+v.Rows > rows {
			return fault.Corrupt("pages of more rows than the %d of the row group", rows)
		}
		visit(v)
		return nil
	}}
	return p.eachPage(group, col, func(offset int64, h pageHeader) (more bool, err error) {
		if dictionary, err := s.dictionary(offset, h); dictionary || err != nil {
			return true, err
		}
		n, err := s.decodePage(offset, h, nil)
		s.first += n
		return true, err
	})
}

// ScanRows decodes the pages that hold the rows. A page of lists does not state how many rows it
// has, so such pages are decompressed up to the last row, and their levels are counted.
func (p *parquetReader) ScanRows(group, col int, rows []int, visit func(first int, v Cells)) error {
	s := pageScan{leafDecoder: leafDecoder{leaf: p.leaves[col]}, p: p, rows: rows, visit: func(first int, v Cells) error {
		visit(first, v)
		return nil
	}}
	if err := p.eachPage(group, col, s.page); err != nil {
		return err
	}
	if len(s.rows) > 0 {
		return fault.Corrupt("pages of %d rows, want row %d", s.first, s.rows[0])
	}
	return nil
}

// pageScan decodes pages of a column chunk.
type pageScan struct {
	leafDecoder
	p     *parquetReader
	first int   // of the rows of the next page
	rows  []int // of ScanRows, that are still to come
	visit func(first int, v Cells) error
}

// dictionary reports whether a page is a dictionary, which it reads, or else a data page.
func (s *pageScan) dictionary(offset int64, h pageHeader) (bool, error) {
	switch {
	case h.kind == dictionaryPage:
		body, err := s.p.readPage(offset, h)
		if err != nil {
			return true, err
		}
		return true, s.setDictionary(body, parquet.Encoding(h.encoding))
	case h.kind != dataPage || h.values < 0:
		return false, fault.Corrupt("page of type %d with %d values", h.kind, h.values)
	}
	return false, nil
}

// page visits a page, or skips it. It returns false after the last row.
func (s *pageScan) page(offset int64, h pageHeader) (more bool, err error) {
	if dictionary, err := s.dictionary(offset, h); dictionary || err != nil {
		return true, err
	}
	n, body, err := s.rowsOf(offset, h)
	if err != nil {
		return false, err
	}
	last := s.first + n
	if s.rows[0] < last {
		if _, err := s.decodePage(offset, h, body); err != nil {
			return false, err
		}
		n, _ := slices.BinarySearch(s.rows, last)
		s.rows = s.rows[n:]
	}
	s.first = last
	return len(s.rows) > 0, nil
}

// rowsOf returns the number of rows of a page, and the content of the page if that was needed.
func (s *pageScan) rowsOf(offset int64, h pageHeader) (rows int, body []byte, err error) {
	switch s.form {
	case arrayForm, identityForm:
		return int(h.values) / s.column.Len, nil, nil
	case listForm:
		if body, err = s.p.readPage(offset, h); err == nil {
			rows, err = countLists(body, int(h.values))
		}
		return rows, body, err
	default:
		return int(h.values), nil, nil
	}
}

// countLists returns the number of lists of a page: those of its repetition levels that are 0.
func countLists(body []byte, values int) (rows int, err error) {
	rep, _, err := cutLevels(body)
	r := levelReader{runs: rep, left: values}
	for err == nil {
		if err = r.fill(); r.count == 0 {
			break
		}
		if r.level == 0 {
			rows += r.count
		}
		r.count = 0
	}
	return rows, err
}

// decodePage visits the cells of a page and returns their rows. Without the content of the page, it
// reads it.
func (s *pageScan) decodePage(offset int64, h pageHeader, body []byte) (rows int, err error) {
	if body == nil {
		if body, err = s.p.readPage(offset, h); err != nil {
			return 0, err
		}
	}
	v, err := s.decode(body, int(h.values), parquet.Encoding(h.encoding))
	if err == nil && v.Rows > 0 {
		err = s.visit(s.first, v)
	}
	return v.Rows, err
}

// readPage returns the content of a page, which is valid until the next call.
func (p *parquetReader) readPage(offset int64, h pageHeader) (body []byte, err error) {
	defer fault.RecoverCorrupt(&err)
	p.packed = slices.Grow(p.packed[:0], int(h.compressed))[:h.compressed]
	if _, err := p.source.ReadAt(p.packed, offset+h.bytes); err != nil {
		return nil, fault.Corrupt("%w", err)
	}
	if int64(cap(p.body)) < h.size {
		p.body = make([]byte, h.size)
	}
	body, err = zstdDecoder().DecodeAll(p.packed, p.body[:0:h.size])
	if err != nil || int64(len(body)) != h.size {
		return nil, fault.Corrupt("page of %d bytes, want %d (%v)", len(body), h.size, err)
	}
	return body, nil
}
