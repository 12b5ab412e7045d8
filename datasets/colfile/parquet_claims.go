package colfile

import (
	"encoding/binary"
	"io"
	"math"

	"github.com/apache/arrow/go/v17/parquet/compress"
	"github.com/apache/thrift/lib/go/thrift"

	"selfplay/datasets/internal/fault"
)

// checkParquetFooter walks over the footer of a file of size bytes, before Arrow parses it.
// It leaves files without a footer to Arrow.
func checkParquetFooter(r io.ReaderAt, size int64) error {
	var end [8]byte // the length of the footer and the magic
	if _, err := r.ReadAt(end[:], size-8); err != nil || string(end[4:]) != string(parquetMagic) {
		return nil
	}
	length := int64(binary.LittleEndian.Uint32(end[:]))
	if length > size-8 {
		return fault.Corrupt("footer of %d bytes in a file of %d", length, size)
	}
	footer := make([]byte, length)
	if _, err := r.ReadAt(footer, size-8-length); err != nil {
		return fault.Corrupt("%w", err)
	}
	return checkStructure(footer)
}

// checkGroup compares what the footer claims for a row group with the limits.
func (p *parquetReader) checkGroup(group int) error {
	g := p.file.MetaData().RowGroups[group]
	if err := checkGroupRows("row group", g.NumRows, p.limit); err != nil {
		return err
	}
	if len(g.Columns) != len(p.leaves) {
		return fault.Corrupt("%d columns, want %d", len(g.Columns), len(p.leaves))
	}
	var compressed, lists int64
	for col, l := range p.leaves {
		chunk := g.Columns[col].MetaData
		if chunk == nil {
			return fault.Corrupt("column %s has no metadata", l.column.Name)
		}
		if n := chunk.TotalUncompressedSize; l.pageRows == 0 {
			compressed += max(0, min(chunk.TotalCompressedSize, p.size))
			lists += max(0, min(n, math.MaxInt64/int64(len(p.leaves)))) // the sum fits
		}
	}
	if limit := maxListBytes(min(compressed, p.size)); lists > limit {
		return fault.Corrupt("lists and strings of %d bytes, want at most %d", lists, limit)
	}
	return nil
}

// eachPage calls visit with the offset and the header of each page of a column chunk, after
// the claims of the header are checked, until it returns false.
func (p *parquetReader) eachPage(group, col int, visit func(offset int64, h pageHeader) (more bool, err error)) error {
	chunk := p.file.MetaData().RowGroups[group].Columns[col].MetaData
	if codec := compress.Compression(chunk.Codec); codec != compress.Codecs.Zstd {
		return fault.Corrupt("column chunk of compression %v, want %v", codec, compress.Codecs.Zstd)
	}
	size := chunk.TotalCompressedSize
	start := chunk.DataPageOffset
	if d := chunk.DictionaryPageOffset; d != nil && *d > 0 && *d < start {
		start = *d
	}
	if size < 0 || start < 0 || size > p.size || start > p.size-size {
		return fault.Corrupt("column chunk of %d bytes at %d in a file of %d", size, start, p.size)
	}
	left := chunk.TotalUncompressedSize
	for end := start + size; start < end; {
		h, err := readPageHeader(p.source, start, end)
		if err != nil {
			return err
		}
		if left -= h.size; h.size > p.leaves[col].maxPage() || left < 0 {
			return fault.Corrupt("page of %d bytes, which is more than its column can have", h.size)
		}
		if more, err := visit(start, h); err != nil || !more {
			return err
		}
		start += h.bytes + h.compressed
	}
	return nil
}

// maxPage bounds the bytes of a page before compression.
func (l *leaf) maxPage() int64 {
	if l.pageRows == 0 {
		return maxPage
	}
	values := l.pageRows * max(l.column.Len, 1)
	return int64(max(dictionaryBytes, values*8+len(l.levels)+pageOverhead))
}

const (
	dictionaryBytes = 4 << 16 // a full dictionary of uint16
	pageOverhead    = 64      // the header of indexes and their padding
)

// maxPageHeader bounds a page header, of which ours take under 100 bytes. Where a header
// is damaged, Arrow looks for its end in up to 16 MiB by default.
const maxPageHeader = 16 << 10

// usualPageHeader is the size that is read first.
const usualPageHeader = 256

// pageHeader is what a page claims.
type pageHeader struct {
	bytes            int64 // of the header
	size, compressed int64 // of the page
	kind             int64 // dataPage, dictionaryPage or another
	values, encoding int64 // of a data page or a dictionary
}

// Types of pages in headers, and the fields that hold what a header says about a page of a type.
const (
	dataPage             = 0
	dictionaryPage       = 2
	dataPageHeader       = 5
	dictionaryPageHeader = 7
)

// readPageHeader reads the header at offset of a chunk that stops at end. The page must fit
// the chunk.
func readPageHeader(r io.ReaderAt, offset, end int64) (pageHeader, error) {
	h, err := readPageHeaderIn(r, offset, min(end-offset, usualPageHeader))
	if err != nil {
		h, err = readPageHeaderIn(r, offset, min(end-offset, maxPageHeader))
	}
	if err != nil {
		return h, err
	}
	if h.size < 0 || h.compressed < 0 || h.compressed > end-offset-h.bytes {
		return h, fault.Corrupt("page of %d bytes, %d before compression, in a column chunk with %d left", h.compressed, h.size, end-offset)
	}
	return h, nil
}

func readPageHeaderIn(r io.ReaderAt, offset, limit int64) (h pageHeader, err error) {
	defer fault.RecoverCorrupt(&err)
	data := make([]byte, limit)
	if _, err := r.ReadAt(data, offset); err != nil {
		return h, fault.Corrupt("%w", err)
	}
	in := newThriftReader(data)
	err = in.fields(func(id int16, kind thrift.TType) error {
		if kind == thrift.STRUCT && (id == dataPageHeader || id == dictionaryPageHeader) {
			return in.fields(func(id int16, kind thrift.TType) error { return in.integers(id, kind, &h.values, &h.encoding) })
		}
		return in.integers(id, kind, &h.kind, &h.size, &h.compressed)
	})
	if err != nil {
		return h, fault.Corrupt("read page header: %w", err)
	}
	h.bytes = limit - int64(in.left.Len())
	return h, nil
}
