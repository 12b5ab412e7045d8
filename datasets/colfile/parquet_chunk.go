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
	body     []byte // scratch: a page before compression
	data     []byte // compressed pages, end to end
	pages    []page
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

// add appends a copy of v, finishing pages as they fill up.
func (c *chunk) add(v Cells) {
	if c.leaf.pageRows == 0 {
		c.addVar(v)
		return
	}
	size := c.leaf.cellSize()
	for v.Rows > 0 {
		n := min(v.Rows, c.leaf.pageRows-c.page.Rows)
		c.page.Values = append(c.page.Values, v.Values[:n*size]...)
		c.page.Rows += n
		v.Rows -= n
		v.Values = v.Values[n*size:]
		if c.page.Rows == c.leaf.pageRows {
			c.flushPage()
		}
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
		if len(c.page.Values)*physicalSize(c.leaf.column.Kind)/size >= pageBytes {
			c.flushPage()
		}
	}
}

// flushPage finishes the open page, if it has rows.
func (c *chunk) flushPage() {
	if c.page.Rows == 0 {
		return
	}
	switch kind := c.leaf.column.Kind; c.leaf.form {
	case identityForm:
		c.set |= bitsSet(c.page.Values, kind.Size())
	case plainForm:
		c.extremes.add(kind, c.page.Values)
	case labelForm:
		c.extremes.add(kind, c.page.Values)
		c.labels.replace(c.page.Values)
	}
	var values int
	c.body, values = c.leaf.encode(c.body[:0], c.page)
	c.data = zstdEncoder().EncodeAll(c.body, c.data)
	c.pages = append(c.pages, page{len(c.data), values, len(c.body)})
	c.page = Cells{Values: c.page.Values[:0], Ends: c.page.Ends[:0]}
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
		c.body = c.appendDictionary(c.body[:0])
		total += int64(len(c.body))
		if _, err := w.WriteDictionaryPage(file.NewDictionaryPage(memory.NewBufferBytes(c.body),
			int32(len(c.body)/4), parquet.Encodings.Plain)); err != nil {
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
