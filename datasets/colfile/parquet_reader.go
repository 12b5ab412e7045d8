package colfile

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/compress"
	"github.com/apache/arrow/go/v17/parquet/file"
	"github.com/apache/thrift/lib/go/thrift"

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

	packed, body []byte // of the last page
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
	f, err := file.NewParquetReader(r)
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
		body, err = s.p.readPage(offset, h)
		if err == nil {
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
		err = r.fill()
		if r.count == 0 {
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
		body, err = s.p.readPage(offset, h)
		if err != nil {
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
		left -= h.size
		if h.size > p.leaves[col].maxPage() || left < 0 {
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

// Footers and page headers of Parquet are structs in Thrift's compact protocol. Arrow's parser
// allocates as many elements as a list claims to have. So they are first walked over without an
// allocation for a claim, in which each element needs the bytes that it takes at least.

// maxThriftDepth bounds the nesting of structs and lists. Parquet's takes under ten.
const maxThriftDepth = 32

// thriftReader reads a struct.
type thriftReader struct {
	thrift.TProtocol
	left *bytes.Buffer
}

func newThriftReader(data []byte) thriftReader {
	left := bytes.NewBuffer(data)
	limits := &thrift.TConfiguration{MaxMessageSize: int32(len(data))}
	return thriftReader{thrift.NewTCompactProtocolConf(&thrift.TMemoryBuffer{Buffer: left}, limits), left}
}

// checkStructure returns an error unless data begins with a struct.
func checkStructure(data []byte) error {
	err := thrift.Skip(context.Background(), newThriftReader(data), thrift.STRUCT, maxThriftDepth)
	if err != nil {
		return fault.Corrupt("read structure: %w", err)
	}
	return nil
}

// fields calls visit with each field of a struct. It has to read the value, or to skip it.
func (r thriftReader) fields(visit func(id int16, kind thrift.TType) error) error {
	ctx := context.Background()
	if _, err := r.ReadStructBegin(ctx); err != nil {
		return err
	}
	for {
		_, kind, id, err := r.ReadFieldBegin(ctx)
		if err != nil {
			return err
		}
		if kind == thrift.STOP {
			return r.ReadStructEnd(ctx)
		}
		if err := visit(id, kind); err != nil {
			return err
		}
	}
}

// integers reads the value of a field. It keeps the integers of the first fields, numbered from 1,
// in the given places.
func (r thriftReader) integers(id int16, kind thrift.TType, places ...*int64) error {
	ctx := context.Background()
	if kind != thrift.I32 || id < 1 || int(id) > len(places) {
		return thrift.Skip(ctx, r, kind, maxThriftDepth)
	}
	value, err := r.ReadI32(ctx)
	*places[id-1] = int64(value)
	return err
}
