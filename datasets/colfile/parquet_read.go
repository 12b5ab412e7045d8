package colfile

import (
	"fmt"
	"io"

	"github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/file"

	"selfplay/datasets/internal/fault"
	"selfplay/encode"
)

// parquetReader reads what parquetWriter writes, and nothing else: a file with
// another schema or other encodings is not one of ours.
type parquetReader struct {
	file   *file.Reader
	leaves []*leaf
}

func newParquetReader(r ReaderAt, s Spec) (_ *parquetReader, err error) {
	defer fault.RecoverCorrupt(&err)
	f, err := file.NewParquetReader(r, file.WithReadProps(parquet.NewReaderProperties(new(pageMemory))))
	if err != nil {
		return nil, fault.Corrupt("%w", err)
	}
	want, err := parquetSchema(s)
	if err != nil {
		return nil, err
	}
	if !f.MetaData().Schema.Root().Equals(want.Root()) { // Schema.Equals looks at leaves alone
		return nil, fault.Corrupt("the file has other columns")
	}
	p := &parquetReader{file: f}
	for _, c := range s.Columns {
		p.leaves = append(p.leaves, newLeaf(c, s.Packed))
	}
	return p, nil
}

// Groups returns how many row groups there are.
func (p *parquetReader) Groups() int { return p.file.NumRowGroups() }

// Rows returns what the footer says of a row group.
func (p *parquetReader) Rows(group int) (int, error) {
	return int(p.file.RowGroup(group).NumRows()), nil
}

// Metadata returns the key/value metadata without the stored schema.
func (p *parquetReader) Metadata() []encode.KeyValue {
	var list []encode.KeyValue
	kv := p.file.MetaData().KeyValueMetadata()
	keys, values := kv.Keys(), kv.Values()
	for i, key := range keys {
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
	for {
		c, err := d.next(pages)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		visit(c)
	}
}

// pages returns the pages of a column chunk.
func (p *parquetReader) pages(group, col int) (_ file.PageReader, err error) {
	defer fault.RecoverCorrupt(&err)
	pages, err := p.file.RowGroup(group).GetColumnPageReader(col)
	if err != nil {
		return nil, fault.Corrupt("%w", err)
	}
	return pages, nil
}

// pageMemory gives every page of a reader the memory of the one before. Arrow's
// page reader frees a page's buffer before it hands the page out and asks for the
// next buffer when it is asked for the next page; in between the page is good.
type pageMemory struct{ free []byte }

// Allocate returns size bytes, whatever they hold: pages are overwritten. It
// panics where a damaged header asks for too much; the reader recovers.
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

// Reallocate returns b with another size.
func (m *pageMemory) Reallocate(size int, b []byte) []byte {
	if size <= cap(b) {
		return b[:size]
	}
	return append(make([]byte, 0, size), b...)[:size]
}

// Free keeps b for the next Allocate.
func (m *pageMemory) Free(b []byte) { m.free = b }
