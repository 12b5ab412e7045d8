package colfile

import (
	"fmt"
	"io"

	"github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/file"

	"selfplay/datasets/internal/fault"
	"selfplay/encode"
)

// parquetReader reads the files of parquetWriter only: another schema, encoding or page
// layout is ErrCorrupt.
type parquetReader struct {
	file   *file.Reader
	source io.ReaderAt
	size   int64 // of the file, in bytes
	limit  int   // rows of a row group
	leaves []*leaf

	packed, body []byte // of the last page that ScanRows read
}

func newParquetReader(r ReadSeekerAt, s Spec) (_ *parquetReader, err error) {
	defer fault.RecoverCorrupt(&err)
	size, err := r.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, err
	}
	if err := checkParquetFooter(r, size); err != nil {
		return nil, err
	}
	f, err := file.NewParquetReader(r, file.WithReadProps(parquet.NewReaderProperties(new(pageMemory))))
	if err != nil {
		return nil, fault.Corrupt("%w", err)
	}
	if !f.MetaData().Schema.Root().Equals(parquetSchema(s).Root()) { // Schema.Equals compares leaves only
		return nil, fault.Corrupt("schema differs from the expected columns")
	}
	p := &parquetReader{file: f, source: r, size: size, limit: s.groupLimit()}
	for _, c := range s.Columns {
		p.leaves = append(p.leaves, newLeaf(c, s.Packed))
	}
	for group := range p.Groups() {
		if err := p.checkGroup(group); err != nil {
			return nil, fmt.Errorf("row group %d: %w", group, err)
		}
	}
	return p, nil
}

// Groups returns the number of row groups.
func (p *parquetReader) Groups() int { return p.file.NumRowGroups() }

// Rows returns the rows of a row group according to the footer.
func (p *parquetReader) Rows(group int) (int, error) {
	return int(p.file.RowGroup(group).NumRows()), nil
}

// Metadata returns the key/value metadata without the stored schema.
func (p *parquetReader) Metadata() []encode.KeyValue {
	var list []encode.KeyValue
	kv := p.file.MetaData().KeyValueMetadata()
	values := kv.Values()
	for i, key := range kv.Keys() {
		if key != arrowSchemaKey {
			list = append(list, encode.KeyValue{Key: key, Value: values[i]})
		}
	}
	return list
}

// Scan decodes one column of a row group, page by page.
func (p *parquetReader) Scan(group, col int, visit func(Cells)) error {
	pages, err := p.pages(group, col)
	if err != nil {
		return err
	}
	d := &leafDecoder{leaf: p.leaves[col]}
	left := p.file.RowGroup(group).NumRows()
	for {
		c, err := d.next(pages)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if left -= int64(c.Rows); left < 0 {
			return fault.Corrupt("pages of more rows than the %d of the row group", p.file.RowGroup(group).NumRows())
		}
		visit(c)
	}
}

// pages returns the pages of a column chunk, whose claims are checked.
func (p *parquetReader) pages(group, col int) (_ file.PageReader, err error) {
	defer fault.RecoverCorrupt(&err)
	if err := p.checkChunk(group, col); err != nil {
		return nil, err
	}
	pages, err := p.file.RowGroup(group).GetColumnPageReader(col)
	if err != nil {
		return nil, fault.Corrupt("%w", err)
	}
	pages.SetMaxPageHeaderSize(maxPageHeader)
	return pages, nil
}

// pageMemory lets every page of a reader use the memory of the page before. Arrow's page
// reader frees a page's buffer before it returns the page, and allocates again when the
// caller asks for the next page. Between the two the page is valid.
type pageMemory struct{ free []byte }

// Allocate returns size bytes with any content: pages overwrite them. It panics above
// maxPage; the reader recovers.
func (m *pageMemory) Allocate(size int) []byte {
	if size > maxPage {
		panic(fmt.Sprintf("page of %d bytes", size))
	}
	b := m.free
	m.free = nil
	if cap(b) < size {
		b = make([]byte, size)
	}
	return b[:size]
}

// Reallocate returns size bytes that begin with b, as far as they go.
func (m *pageMemory) Reallocate(size int, b []byte) []byte {
	if size <= cap(b) {
		return b[:size]
	}
	return append(make([]byte, 0, size), b...)[:size]
}

// Free keeps b for the next Allocate.
func (m *pageMemory) Free(b []byte) { m.free = b }
