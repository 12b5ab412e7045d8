package colfile

import (
	"math"
	"slices"

	"github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/compress"

	"selfplay/datasets/internal/fault"
)

// ScanRows decodes the pages that hold the rows. A page of lists does not state how many rows it
// has, so such pages are decompressed up to the last row, and their levels are counted.
func (p *parquetReader) ScanRows(group, col int, rows []int, visit func(first int, v Cells)) (err error) {
	chunk, err := p.file.MetaData().RowGroup(group).ColumnChunk(col)
	if err != nil {
		return fault.Corrupt("%w", err)
	}
	if chunk.Compression() != compress.Codecs.Zstd {
		return scanAll(p, group, col, visit)
	}
	defer fault.RecoverCorrupt(&err)
	s := rowScan{leafDecoder: leafDecoder{leaf: p.leaves[col]}, p: p, rows: rows, visit: visit}
	if err := p.eachPage(group, col, s.page); err != nil {
		return err
	}
	if len(s.rows) > 0 {
		return fault.Corrupt("pages of %d rows, want row %d", s.first, s.rows[0])
	}
	return nil
}

// rowScan decodes the pages of a column chunk that hold some rows.
type rowScan struct {
	leafDecoder
	p     *parquetReader
	first int   // of the rows of the next page
	rows  []int // that are still to come
	visit func(first int, v Cells)
}

// page visits a page, or skips it. It returns false after the last row.
func (s *rowScan) page(offset int64, h pageHeader) (more bool, err error) {
	if h.kind == dictionaryPage {
		body, err := s.p.readPage(offset, h)
		if err != nil {
			return false, err
		}
		return true, s.setDictionary(slices.Clone(body), parquet.Encoding(h.encoding))
	}
	if h.kind != dataPage || h.values < 0 || h.values > math.MaxInt32 {
		return false, fault.Corrupt("page of type %d with %d values", h.kind, h.values)
	}
	n, body, err := s.rowsOf(offset, h)
	if err != nil {
		return false, err
	}
	last := s.first + n
	if s.rows[0] < last {
		if err := s.decodePage(offset, h, body); err != nil {
			return false, err
		}
		n, _ := slices.BinarySearch(s.rows, last)
		s.rows = s.rows[n:]
	}
	s.first = last
	return len(s.rows) > 0, nil
}

// rowsOf returns the number of rows of a page, and the content of the page if that was needed.
func (s *rowScan) rowsOf(offset int64, h pageHeader) (rows int, body []byte, err error) {
	switch s.form {
	case arrayForm, identityForm:
		return int(h.values) / s.column.Len, nil, nil
	case listForm:
		if body, err = s.p.readPage(offset, h); err == nil {
			rows, err = countLists(body, int(h.values))
		}
		return rows, body, err
	}
	return int(h.values), nil, nil
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

// decodePage visits the cells of a page. Without its content, it reads the page.
func (s *rowScan) decodePage(offset int64, h pageHeader, body []byte) (err error) {
	if body == nil {
		if body, err = s.p.readPage(offset, h); err != nil {
			return err
		}
	}
	v, err := s.decode(body, int(h.values), parquet.Encoding(h.encoding))
	if err == nil && v.Rows > 0 {
		s.visit(s.first, v)
	}
	return err
}

// readPage returns the content of a page, which is valid until the next call.
func (p *parquetReader) readPage(offset int64, h pageHeader) ([]byte, error) {
	p.packed = slices.Grow(p.packed[:0], int(h.compressed))[:h.compressed]
	if _, err := p.source.ReadAt(p.packed, offset+h.bytes); err != nil {
		return nil, fault.Corrupt("%w", err)
	}
	if int64(cap(p.body)) < h.size {
		p.body = make([]byte, h.size)
	}
	body, err := zstdDecoder().DecodeAll(p.packed, p.body[:0:h.size])
	if err != nil || int64(len(body)) != h.size {
		return nil, fault.Corrupt("page of %d bytes, want %d (%v)", len(body), h.size, err)
	}
	return body, nil
}

// scanAll is ScanRows for a column whose cells are all decoded.
func scanAll(r Reader, group, col int, visit func(first int, v Cells)) error {
	first := 0
	return r.Scan(group, col, func(v Cells) {
		visit(first, v)
		first += v.Rows
	})
}
