package colfile

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/apache/arrow/go/v17/arrow/memory"
	"github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/compress"
	"github.com/apache/arrow/go/v17/parquet/file"
	"github.com/apache/arrow/go/v17/parquet/metadata"
	"github.com/apache/arrow/go/v17/parquet/schema"
	"github.com/klauspost/compress/zstd"

	"selfplay/datasets/internal/fault"
	"selfplay/encode"
	"selfplay/internal/goroutine"
)

// createdBy names the writer in every Parquet file. It states the version of the bytes,
// not of the program.
var createdBy = fmt.Sprintf("selfplay version %d", WriterVersion)

// arrowSchemaKey is the metadata key where readers built on Arrow look for the schema.
const arrowSchemaKey = "ARROW:schema"

// parquetSchema returns the Parquet schema of a file. All columns are required, and so
// is the root: Arrow's default root is repeated, which some readers refuse. It panics for
// columns that CheckColumns refuses.
func parquetSchema(s Spec) *schema.Schema {
	var fields schema.FieldList
	for _, c := range s.Columns {
		fields = append(fields, parquetNode(c, s.Packed))
	}
	return schema.NewSchema(schema.MustGroup(schema.NewGroupNode("schema", parquet.Repetitions.Required, fields, -1)))
}

// parquetNode returns the node of a column. A list has the three levels of the Parquet format:
// required column, repeated "list", required "element".
func parquetNode(c encode.Column, packed bool) schema.Node {
	switch {
	case c.Kind == encode.String:
		return schema.Must(schema.NewPrimitiveNodeLogical(c.Name, parquet.Repetitions.Required,
			schema.StringLogicalType{}, parquet.Types.ByteArray, -1, -1))
	case c.Len == encode.Scalar:
		return parquetScalar(c.Name, c.Kind)
	case c.Len > 0 && packed:
		return schema.Must(schema.NewPrimitiveNode(c.Name, parquet.Repetitions.Required,
			parquet.Types.FixedLenByteArray, -1, int32(c.Len*c.Kind.Size())))
	}
	return schema.Must(schema.ListOf(parquetScalar(c.Name, c.Kind), parquet.Repetitions.Required, -1))
}

// parquetScalar returns the node of a bool or an integer. Parquet stores 8- and 16-bit
// integers in an INT32 and marks them with a logical type.
func parquetScalar(name string, kind encode.Kind) schema.Node {
	if kind == encode.Bool {
		return schema.Must(schema.NewPrimitiveNode(name, parquet.Repetitions.Required, parquet.Types.Boolean, -1, -1))
	}
	physical := parquet.Types.Int32
	if kind == encode.Uint64 {
		physical = parquet.Types.Int64
	}
	logical := schema.NewIntLogicalType(int8(8*kind.Size()), Signed(kind))
	return schema.Must(schema.NewPrimitiveNodeLogical(name, parquet.Repetitions.Required, logical, physical, -1, -1))
}

func parquetProperties() *parquet.WriterProperties {
	return parquet.NewWriterProperties(
		parquet.WithVersion(parquet.V2_LATEST),
		parquet.WithCompression(compress.Codecs.Zstd),
		parquet.WithCompressionLevel(1),
		parquet.WithCreatedBy(createdBy),
		parquet.WithDictionaryDefault(false),
	)
}

// parquetMetadata returns the key/value metadata of the Spec, then the stored schema.
func parquetMetadata(s Spec) (metadata.KeyValueMetadata, error) {
	kv := metadata.NewKeyValueMetadata()
	for _, e := range s.Metadata {
		if err := kv.Append(e.Key, e.Value); err != nil {
			return nil, err
		}
	}
	stored, err := storedSchema(s)
	if err != nil {
		return nil, err
	}
	return kv, kv.Append(arrowSchemaKey, stored)
}

var parquetMagic = []byte("PAR1")

// parquetWriter writes a Parquet file from pages that it lays out itself. Arrow writes
// the page headers and the footer. Arrow's column writers are not used: they take
// several times as long per value. Nor is its file writer, whose Close drops the error
// of the footer.
type parquetWriter struct {
	sink      *CountingWriter
	footer    *metadata.FileMetaDataBuilder
	chunks    []*chunk
	groupRows int // rows of a full group
	rows      int // rows in the open group
	groups    int // finished groups
	closed    bool
}

func newParquetWriter(w io.Writer, s Spec) (*parquetWriter, error) {
	kv, err := parquetMetadata(s)
	if err != nil {
		return nil, err
	}
	p := &parquetWriter{
		sink:      &CountingWriter{W: w},
		footer:    metadata.NewFileMetadataBuilder(parquetSchema(s), parquetProperties(), kv),
		groupRows: s.GroupRows,
	}
	for _, c := range s.Columns {
		p.chunks = append(p.chunks, newChunk(newLeaf(c, s.Packed)))
	}
	_, err = p.sink.Write(parquetMagic)
	return p, err
}

// Write appends the rows of t.
func (p *parquetWriter) Write(t *encode.Table) error {
	if p.closed {
		return errClosed
	}
	defer p.borrowScratch()()
	for from := 0; from < t.Rows; {
		n := min(t.Rows-from, p.groupRows-p.rows)
		for i, c := range p.chunks {
			c.add(cut(t, i, from, from+n))
		}
		from += n
		p.rows += n
		if p.rows == p.groupRows {
			if err := p.flushGroup(); err != nil {
				return err
			}
		}
	}
	return nil
}

// borrowScratch lends the chunks scratch memory, and counts the goroutine as busy, until the function
// that it returns is called.
func (p *parquetWriter) borrowScratch() (giveBack func()) {
	s := scratches.Get().(*scratch)
	for _, c := range p.chunks {
		c.scratch = s
	}
	busy.Add(1)
	return func() {
		busy.Add(-1)
		scratches.Put(s)
	}
}

// flushGroup writes the open row group, column by column.
func (p *parquetWriter) flushGroup() error {
	if p.groups > math.MaxInt16 { // the ordinal of a row group is an int16
		return fmt.Errorf("write more than %d row groups: %w", p.groups, fault.ErrUnsupported)
	}
	group := p.footer.AppendRowGroup()
	total := int64(0)
	for i, c := range p.chunks {
		c.flushPage()
		c.settle(true)
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
		defer p.borrowScratch()()
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

// Compression takes a third of the time of random rows, and a shard has one goroutine that adds its
// rows. So pages are compressed by other goroutines while processors are idle: few shards keep many
// processors busy. Pages keep their order, so the bytes of a file do not depend on it.

// busy counts the goroutines that add rows, compress pages or read files back, of all files.
var busy atomic.Int64

// reserve counts one more busy goroutine and returns true, if a processor is idle.
func reserve() bool {
	if busy.Add(1) <= int64(runtime.GOMAXPROCS(0)) {
		return true
	}
	busy.Add(-1)
	return false
}

// packing is a page that another goroutine compresses.
type packing struct {
	body, packed []byte
	complete     atomic.Bool
	group        goroutine.Group // of the goroutine
}

// packings are shared by all writers. There are never more in use than processors.
var packings = sync.Pool{New: func() any { return new(packing) }}

// startPacking begins to compress a page, of which it keeps a copy. It returns nil if all processors are
// busy.
func startPacking(body []byte) *packing {
	if !reserve() {
		return nil
	}
	p := packings.Get().(*packing)
	p.body = append(p.body[:0], body...)
	p.complete.Store(false)
	p.group = goroutine.New()
	p.group.Go(p.pack)
	return p
}

func (p *packing) pack() error {
	defer p.complete.Store(true)
	defer busy.Add(-1)
	p.packed = zstdEncoder().EncodeAll(p.body, p.packed[:0])
	return nil
}

// wait waits until the page is compressed. A panic of the other goroutine is one of the caller.
func (p *packing) wait() {
	if err := p.group.Wait(); err != nil {
		panic(err)
	}
}

// settle appends the pages that other goroutines compress, in their order. If wait is false, it stops
// at the first one that is not complete.
func (c *chunk) settle(wait bool) {
	for n := len(c.pending); n > 0; n-- {
		p := c.pending[0]
		if !wait && !p.complete.Load() {
			return
		}
		p.wait()
		c.data = append(c.data, p.packed...)
		c.pages[len(c.pages)-n].end = len(c.data)
		packings.Put(p)
		c.pending = append(c.pending[:0], c.pending[1:]...)
	}
}

// One encoder and one decoder serve the process: EncodeAll and DecodeAll are safe for
// concurrent use, and their output depends on the input only.
var (
	zstdEncoder = sync.OnceValue(func() *zstd.Encoder {
		return mustMake(zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithZeroFrames(true),
			zstd.WithAllLitEntropyCompression(true), // action numbers have no matches, only skewed frequencies
			zstd.WithEncoderCRC(true),               // libzstd checks it: readers of others notice a flipped bit
			zstd.WithWindowSize(zstdWindow), zstd.WithLowerEncoderMem(true), zstd.WithEncoderConcurrency(runtime.NumCPU())))
	})
	zstdDecoder = sync.OnceValue(func() *zstd.Decoder {
		return mustMake(zstd.NewReader(nil, zstd.WithDecoderConcurrency(runtime.NumCPU()), zstd.WithDecoderMaxMemory(maxPage),
			zstd.WithDecodeAllCapLimit(true))) // a page is never larger than its header states
	})
)

// zstdWindow is the distance at which the encoder looks for matches: a whole page, except for
// pages of one very long list or string. A machine has an encoder per processor.
const zstdWindow = 256 << 10

func mustMake[T any](v T, err error) T {
	if err != nil {
		panic("colfile: " + err.Error()) // cannot happen: the options are constants
	}
	return v
}

// zstdCodec replaces Arrow's codec for zstd, which allocates an encoder for every page
// (2 kB of garbage per row) and never closes it. Readers decompress without a codec.
type zstdCodec struct{ compress.Codec }

func init() {
	original := mustMake(compress.GetCodec(compress.Codecs.Zstd))
	compress.RegisterCodec(compress.Codecs.Zstd, zstdCodec{original})
}

// Encode compresses src at level 1, the only level that this package uses.
func (zstdCodec) Encode(dst, src []byte) []byte { return zstdEncoder().EncodeAll(src, dst[:0]) }

// EncodeLevel is Encode; it ignores the level.
func (c zstdCodec) EncodeLevel(dst, src []byte, _ int) []byte { return c.Encode(dst, src) }

// scratch is memory that a writer borrows while it adds rows. The slices that it returns are
// valid until the next call.
type scratch struct {
	body         []byte // a page before compression
	packed       []byte // a page after compression
	labels       []byte // the last page of labels before compression
	packedLabels []byte // and after it
}

// scratches are shared by all writers: of many open shards only a few add rows at a time.
var scratches = sync.Pool{New: func() any { return new(scratch) }}

// pack returns a compressed page.
func (s *scratch) pack(body []byte) []byte {
	s.packed = zstdEncoder().EncodeAll(body, s.packed[:0])
	return s.packed
}

// packLabels is pack for a page of labels. In games without a search the pages of the best
// actions are those of the actions, so an equal page is compressed only once.
func (s *scratch) packLabels(body []byte) []byte {
	if !bytes.Equal(body, s.labels) {
		s.labels = append(s.labels[:0], body...)
		s.packedLabels = zstdEncoder().EncodeAll(body, s.packedLabels[:0])
	}
	return s.packedLabels
}
