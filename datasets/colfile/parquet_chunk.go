package colfile

import (
	"github.com/apache/arrow/go/v17/arrow/memory"
	"github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/compress"
	"github.com/apache/arrow/go/v17/parquet/file"
	"github.com/apache/arrow/go/v17/parquet/metadata"
)

// chunk is one column of the open row group: its compressed pages and the cells of the
// page that is being filled.
type chunk struct {
	leaf     *leaf
	page     Cells
	scratch  *scratch // while rows are added
	data     []byte   // compressed pages, end to end
	pages    []page
	pending  []*packing       // the last of pages, which are not in data yet
	set      uint64           // identityForm: bits set in any value
	labels   *labelDictionary // labelForm
	extremes extremes         // integer scalars
}

// page locates a finished page of a chunk.
type page struct {
	end    int // offset in data behind the page
	values int // stated by the page header
	size   int // bytes before compression
}

func newChunk(l *leaf) *chunk {
	c := &chunk{leaf: l}
	if l.form == labelForm {
		c.labels = new(labelDictionary)
	}
	return c
}

func (c *chunk) reset() {
	c.data, c.pages, c.set, c.extremes = c.data[:0], c.pages[:0], 0, extremes{}
	if c.labels != nil {
		c.labels.reset()
	}
}

// add appends v, finishing pages as they fill up. Whole pages are encoded from v; only the
// cells of a page that stays open are copied.
func (c *chunk) add(v Cells) {
	if c.leaf.pageRows == 0 {
		c.addVar(v)
		return
	}
	size := c.leaf.cellSize()
	for v.Rows > 0 {
		n := min(v.Rows, c.leaf.pageRows-c.page.Rows)
		cells := Cells{Rows: n, Values: v.Values[:n*size]}
		v.Rows -= n
		v.Values = v.Values[n*size:]
		if n == c.leaf.pageRows {
			c.addPage(cells)
			continue
		}
		c.reserve(n * size)
		c.page.Values = append(c.page.Values, cells.Values...)
		c.page.Rows += n
		if c.page.Rows == c.leaf.pageRows {
			c.flushPage()
		}
	}
}

// reserve makes room for n more bytes in the open page. It never takes more memory than a full
// page, as append may do.
func (c *chunk) reserve(n int) {
	values := c.page.Values
	if need := len(values) + n; need > cap(values) {
		size := min(max(need, 2*cap(values)), c.leaf.pageRows*c.leaf.cellSize())
		c.page.Values = append(make([]byte, 0, size), values...)
	}
}

// addVar is add for lists and strings.
func (c *chunk) addVar(v Cells) {
	size := c.leaf.column.Kind.Size()
	start := 0
	for _, end := range v.Ends {
		c.page.Values = append(c.page.Values, v.Values[start*size:int(end)*size]...)
		c.page.Ends = append(c.page.Ends, int32(len(c.page.Values)/size))
		c.page.Rows++
		start = int(end)
		if len(c.page.Values)*physicalSize(c.leaf.column.Kind)/size >= blockPageBytes {
			c.flushPage()
		}
	}
}

// flushPage finishes the open page, if it has rows.
func (c *chunk) flushPage() {
	if c.page.Rows > 0 {
		c.addPage(c.page)
		c.page = Cells{Values: c.page.Values[:0], Ends: c.page.Ends[:0]}
	}
}

// addPage compresses a page of the cells.
func (c *chunk) addPage(cells Cells) {
	if c.leaf.form == bytesForm {
		c.compress(cells.Values, cells.Rows)
		return
	}
	var values int
	c.scratch.body, values = c.encode(c.scratch.body[:0], cells)
	c.compress(c.scratch.body, values)
}

// compress appends a page with this body and number of values.
func (c *chunk) compress(body []byte, values int) {
	p := page{values: values, size: len(body)}
	if c.leaf.form == labelForm {
		c.data = append(c.data, c.scratch.packLabels(body)...)
	} else {
		c.settle(false)
		if packing := startPacking(body); packing != nil {
			c.pending, c.pages = append(c.pending, packing), append(c.pages, p)
			return
		}
		c.settle(true)
		c.data = append(c.data, c.scratch.pack(body)...)
	}
	p.end = len(c.data)
	c.pages = append(c.pages, p)
}

// write writes the chunk and returns its size before compression, without headers.
func (c *chunk) write(s *CountingWriter, meta *metadata.ColumnChunkMetaDataBuilder, group, col int) (int64, error) {
	w, err := file.NewPageWriter(s, compress.Codecs.Zstd, 1, meta, int16(group), int16(col),
		memory.DefaultAllocator, false, nil, nil)
	if err != nil {
		return 0, err
	}
	total := int64(0)
	if c.leaf.hasDictionary() {
		body := c.appendDictionary(c.scratch.body[:0])
		c.scratch.body = body
		total += int64(len(body))
		if _, err := w.WriteDictionaryPage(file.NewDictionaryPage(memory.NewBufferBytes(body),
			int32(len(body)/4), parquet.Encodings.Plain)); err != nil {
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
	return total, w.Close(c.leaf.hasDictionary(), false)
}

// appendDictionary appends the body of the dictionary page.
func (c *chunk) appendDictionary(dst []byte) []byte {
	if c.leaf.form == labelForm {
		return c.labels.appendPage(dst)
	}
	return appendIdentity(dst, identitySize(c.set))
}

// statistics states that there are no nulls and, for integer scalars, the least and the
// greatest value, so that a query can skip row groups.
func (c *chunk) statistics() metadata.EncodedStatistics {
	var s metadata.EncodedStatistics
	s.SetNullCount(0)
	if c.extremes.any {
		kind := c.leaf.column.Kind
		s.Signed = Signed(kind)
		s.SetMin(statistic(kind, c.extremes.min))
		s.SetMax(statistic(kind, c.extremes.max))
	}
	return s
}
