package colfile

import (
	"slices"

	"github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/compress"

	"selfplay/datasets/internal/fault"
)

// ScanRows decodes the pages that hold the rows. Pages of lists and strings do not state how
// many rows they have, so such columns are decoded up to the last row.
func (p *parquetReader) ScanRows(group, col int, rows []int, visit func(first int, v Cells)) (err error) {
	chunk, err := p.file.MetaData().RowGroup(group).ColumnChunk(col)
	if err != nil {
		return fault.Corrupt("%w", err)
	}
	if p.leaves[col].pageRows == 0 || chunk.Compression() != compress.Codecs.Zstd {
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
	width := int64(1) // values of a row
	if s.form == arrayForm || s.form == identityForm {
		width = int64(s.column.Len)
	}
	if h.kind != dataPage || h.values <= 0 || h.values > int64(s.pageRows)*width || h.values%width != 0 {
		return false, fault.Corrupt("page of type %d with %d values", h.kind, h.values)
	}
	last := s.first + int(h.values/width)
	if s.rows[0] < last {
		if err := s.decodePage(offset, h); err != nil {
			return false, err
		}
		n, _ := slices.BinarySearch(s.rows, last)
		s.rows = s.rows[n:]
	}
	s.first = last
	return len(s.rows) > 0, nil
}

func (s *rowScan) decodePage(offset int64, h pageHeader) error {
	body, err := s.p.readPage(offset, h)
	if err != nil {
		return err
	}
	v, err := s.decode(body, int(h.values), parquet.Encoding(h.encoding))
	if err == nil {
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
