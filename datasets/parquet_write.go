package datasets

import (
	"encoding/binary"
	"errors"
	"io"

	"github.com/apache/arrow/go/v17/arrow/memory"
	"github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/compress"
	"github.com/apache/arrow/go/v17/parquet/file"
	"github.com/apache/arrow/go/v17/parquet/metadata"

	"selfplay/encode"
)

var parquetMagic = []byte("PAR1")

// errClosed: rows after the footer would be lost without a word.
var errClosed = errors.New("write after close")

// parquetWriter writes a Parquet file from pages that it lays out itself. Page
// headers and the footer are Arrow's; its column writers are not used (a value at
// a time they cost several times what the pages do), nor is its file writer,
// whose Close forgets the error of the footer.
type parquetWriter struct {
	sink   *sink
	footer *metadata.FileMetaDataBuilder
	chunks []*chunk
	full   int // rows of a whole group
	rows   int // in the open group
	groups int
	closed bool
}

// sink counts what is written. Its write error sticks.
type sink struct {
	w   io.Writer
	n   int64
	err error
}

func (s *sink) Write(p []byte) (int, error) {
	if s.err != nil {
		return 0, s.err
	}
	n, err := s.w.Write(p)
	s.n += int64(n)
	s.err = err
	return n, err
}

// Tell returns the offset in the file.
func (s *sink) Tell() int64 { return s.n }

func newParquetWriter(w io.Writer, s tableSpec) (*parquetWriter, error) {
	sc, err := parquetSchema(s)
	if err != nil {
		return nil, err
	}
	kv, err := parquetMetadata(s)
	if err != nil {
		return nil, err
	}
	p := &parquetWriter{
		sink:   &sink{w: w},
		footer: metadata.NewFileMetadataBuilder(sc, parquetProperties(), kv),
		full:   s.rows,
	}
	for _, c := range s.columns {
		p.chunks = append(p.chunks, &chunk{leaf: newLeaf(c, s.packed)})
	}
	_, err = p.sink.Write(parquetMagic)
	return p, err
}

// Write appends the rows of t.
func (p *parquetWriter) Write(t *encode.Table) error {
	if p.closed {
		return errClosed
	}
	for from := 0; from < t.Rows; {
		n := min(t.Rows-from, p.full-p.rows)
		for i, c := range p.chunks {
			c.add(cut(t, i, from, from+n))
		}
		from += n
		p.rows += n
		if p.rows == p.full {
			if err := p.flushGroup(); err != nil {
				return err
			}
		}
	}
	return nil
}

// cut returns the cells of rows from up to to.
func cut(t *encode.Table, col, from, to int) cells {
	c := t.Columns[col]
	if c.Len != encode.Var {
		size := max(c.Len, 1) * c.Kind.Size()
		return cells{rows: to - from, values: t.Data[col][from*size : to*size]}
	}
	return cells{to - from, t.Data[col], t.Ends[col]}.slice(from, to, c.Kind.Size())
}

// slice returns rows from up to to of Var cells. Ends keep counting from the
// first value of c, so that no copy is needed: base tells by how much.
func (c cells) slice(from, to, size int) cells {
	base, end := 0, 0
	if from > 0 {
		base = int(c.ends[from-1])
	}
	if to > 0 {
		end = int(c.ends[to-1])
	}
	ends := make([]int32, 0, to-from)
	for _, e := range c.ends[from:to] {
		ends = append(ends, e-int32(base))
	}
	return cells{to - from, c.values[base*size : end*size], ends}
}

// flushGroup writes the open row group, column after column.
func (p *parquetWriter) flushGroup() error {
	group := p.footer.AppendRowGroup()
	total := int64(0)
	for i, c := range p.chunks {
		c.flushPage()
		n, err := c.write(p.sink, group.NextColumnChunk(), p.groups, i)
		if err != nil {
			return err
		}
		total += n
		c.reset()
	}
	group.SetNumRows(p.rows)
	if err := group.Finish(total, int16(p.groups)); err != nil {
		return err
	}
	p.groups++
	p.rows = 0
	return nil
}

// Close writes the last row group and the footer.
func (p *parquetWriter) Close() error {
	if p.closed {
		return errClosed
	}
	p.closed = true
	if p.rows > 0 {
		if err := p.flushGroup(); err != nil {
			return err
		}
	}
	footer, err := p.footer.Finish()
	if err != nil {
		return err
	}
	n, err := footer.WriteTo(p.sink, nil)
	if err != nil {
		return err
	}
	_, err = p.sink.Write(append(binary.LittleEndian.AppendUint32(nil, uint32(n)), parquetMagic...))
	return err
}

// chunk is a column of the open row group: compressed pages, and the cells of the
// page that is being filled.
type chunk struct {
	leaf     *leaf
	page     cells
	body     []byte // scratch
	data     []byte // compressed pages, end to end
	pages    []page
	set      uint64   // bits set in any index
	extremes extremes // of scalars
}

// page is a finished page of a chunk.
type page struct {
	end    int // in data
	values int
	size   int // before compression
}

func (c *chunk) reset() {
	c.data, c.pages, c.set, c.extremes = c.data[:0], c.pages[:0], 0, extremes{}
}

// add appends cells, closing pages as they fill up.
func (c *chunk) add(v cells) {
	if c.leaf.rows == 0 {
		c.addVar(v)
		return
	}
	size := c.leaf.cellSize()
	for v.rows > 0 {
		n := min(v.rows, c.leaf.rows-c.page.rows)
		c.page.values = append(c.page.values, v.values[:n*size]...)
		c.page.rows += n
		v.rows -= n
		v.values = v.values[n*size:]
		if c.page.rows == c.leaf.rows {
			c.flushPage()
		}
	}
}

// addVar is add for cells of different sizes.
func (c *chunk) addVar(v cells) {
	size := c.leaf.column.Kind.Size()
	start := 0
	for _, end := range v.ends {
		c.page.values = append(c.page.values, v.values[start*size:int(end)*size]...)
		c.page.ends = append(c.page.ends, int32(len(c.page.values)/size))
		c.page.rows++
		start = int(end)
		if len(c.page.values)*physicalSize(c.leaf.column.Kind)/size >= pageBytes {
			c.flushPage()
		}
	}
}

// flushPage closes the open page, if there is one.
func (c *chunk) flushPage() {
	if c.page.rows == 0 {
		return
	}
	switch kind := c.leaf.column.Kind; c.leaf.form {
	case indexForm:
		c.set |= bitsSet(c.page.values, kind.Size())
	case plainForm:
		c.extremes.add(kind, c.page.values)
	}
	var values int
	c.body, values = c.leaf.encode(c.body[:0], c.page)
	c.data = zstdEncoder().EncodeAll(c.body, c.data)
	c.pages = append(c.pages, page{len(c.data), values, len(c.body)})
	c.page = cells{values: c.page.values[:0], ends: c.page.ends[:0]}
}

// write writes the chunk and returns its size before compression.
func (c *chunk) write(s *sink, meta *metadata.ColumnChunkMetaDataBuilder, group, col int) (int64, error) {
	w, err := file.NewPageWriter(s, compress.Codecs.Zstd, 1, meta, int16(group), int16(col),
		memory.DefaultAllocator, false, nil, nil)
	if err != nil {
		return 0, err
	}
	total, dictionary := int64(0), c.leaf.form == indexForm
	if dictionary {
		entries := dictionarySize(c.set)
		c.body = appendIdentity(c.body[:0], entries)
		total += int64(len(c.body))
		if _, err := w.WriteDictionaryPage(file.NewDictionaryPage(memory.NewBufferBytes(c.body),
			int32(entries), parquet.Encodings.Plain)); err != nil {
			return 0, err
		}
	}
	start := 0
	for _, p := range c.pages {
		data := memory.NewBufferBytes(c.data[start:p.end])
		if _, err := w.WriteDataPage(file.NewDataPageV1(data, int32(p.values), c.leaf.encoding(),
			parquet.Encodings.RLE, parquet.Encodings.RLE, int32(p.size))); err != nil {
			return 0, err
		}
		start = p.end
		total += int64(p.size)
	}
	meta.SetStats(c.statistics())
	return total, w.Close(dictionary, false)
}

// statistics says that nothing is null and, for scalars, between what values
// all lie, so that a query can skip row groups. Boards have no order.
func (c *chunk) statistics() metadata.EncodedStatistics {
	var s metadata.EncodedStatistics
	s.SetNullCount(0)
	if c.extremes.any {
		kind := c.leaf.column.Kind
		s.Signed = signed(kind)
		s.SetMin(statistic(kind, c.extremes.min))
		s.SetMax(statistic(kind, c.extremes.max))
	}
	return s
}
