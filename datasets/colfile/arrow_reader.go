package colfile

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"slices"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/ipc"
	"github.com/apache/arrow/go/v17/arrow/memory"
	flatbuffers "github.com/google/flatbuffers/go"

	"selfplay/datasets/internal/fault"
	"selfplay/encode"
)

// arrowReader reads the files of arrowWriter and survives any other bytes. It checks the
// counts that Arrow's parser trusts (arrowFrame, boundedMemory) and recovers the
// parser's panics. It does not see flipped bits in values of uncompressed files.
type arrowReader struct {
	file    *ipc.FileReader
	source  io.ReaderAt
	columns []encode.Column
	blocks  []arrowBlock
	memory  *boundedMemory
	group   int // number of batch, -1 before the first
	batch   arrow.Record
}

func newArrowReader(r ReadSeekerAt, s Spec) (_ *arrowReader, err error) {
	defer fault.RecoverCorrupt(&err)
	frame, err := newArrowFrame(s)
	if err != nil {
		return nil, err
	}
	blocks, err := frame.check(r)
	if err != nil {
		return nil, err
	}
	bounded := &boundedMemory{Allocator: memory.NewGoAllocator()}
	f, err := ipc.NewFileReader(r, ipc.WithAllocator(bounded))
	if err != nil {
		return nil, fault.Corrupt("%w", err)
	}
	if !f.Schema().Equal(arrowSchema(s)) {
		return nil, fault.Corrupt("schema differs from the expected columns")
	}
	return &arrowReader{file: f, source: r, columns: s.Columns, blocks: blocks, memory: bounded, group: -1}, nil
}

// Groups returns the number of record batches.
func (a *arrowReader) Groups() int { return len(a.blocks) }

// Rows returns the number of rows that the message of a batch claims. The footer does not
// state it.
func (a *arrowReader) Rows(group int) (_ int, err error) {
	defer fault.RecoverCorrupt(&err)
	rows, err := a.blocks[group].rows(a.source)
	if err == nil {
		err = checkGroupRows("record batch", rows, maxBatch)
	}
	return int(rows), err
}

// Scan visits all cells of a column of a batch at once.
func (a *arrowReader) Scan(group, col int, visit func(Cells)) error {
	if err := a.load(group); err != nil {
		return err
	}
	c, err := arrowCells(a.batch.Column(col), int(a.batch.NumRows()))
	if err != nil {
		return err
	}
	visit(c)
	return nil
}

// ScanRows visits all cells, because a batch is compressed as a whole.
func (a *arrowReader) ScanRows(group, col int, _ []int, visit func(first int, v Cells)) error {
	return a.Scan(group, col, func(v Cells) { visit(0, v) }) // all cells at once
}

// Metadata returns the schema's metadata.
func (a *arrowReader) Metadata() []encode.KeyValue {
	var list []encode.KeyValue
	m := a.file.Schema().Metadata()
	for i, key := range m.Keys() {
		list = append(list, encode.KeyValue{Key: key, Value: m.Values()[i]})
	}
	return list
}

// load decodes a batch unless it is the current one.
func (a *arrowReader) load(group int) (err error) {
	defer fault.RecoverCorrupt(&err)
	if group == a.group {
		return nil
	}
	if err := a.allow(a.blocks[group]); err != nil {
		return err
	}
	batch, err := a.file.Record(group)
	if err != nil {
		return fault.Corrupt("%w", err)
	}
	if err := checkGroupRows("record batch", batch.NumRows(), maxBatch); err != nil {
		return err
	}
	a.group, a.batch = group, batch
	return nil
}

// allow reads the number of rows of a batch and sets the memory that the batch may take.
func (a *arrowReader) allow(b arrowBlock) error {
	rows, err := b.rows(a.source)
	if err != nil {
		return err
	}
	if err := checkGroupRows("record batch", rows, maxBatch); err != nil {
		return err
	}
	a.memory.left = b.meta + b.body + fixedBytes(a.columns, rows) + maxListBytes(b.body) + bufferOverhead*int64(len(a.columns)+1)
	return nil
}

// bufferOverhead is more than the alignment and the zero offset of a column's buffers take.
const bufferOverhead = 1 << 10

// boundedMemory panics where a batch takes more memory than it may. The reader recovers.
// The memory of a batch is never freed before all of it is decoded.
type boundedMemory struct {
	memory.Allocator
	left int64  // bytes
	free []byte // for a batch to come
}

// Allocate returns size bytes.
func (m *boundedMemory) Allocate(size int) []byte {
	m.left -= int64(size)
	if size < 0 || m.left < 0 {
		panic(fmt.Sprintf("buffer of %d bytes, which is %d more than the rows of the record batch can take", size, -m.left))
	}
	if b := m.free; size <= cap(b) && size > cap(b)/2 {
		m.free = nil
		return b[:size]
	}
	return m.Allocator.Allocate(size)
}

// Free keeps the largest buffer: the body of a message, which Arrow frees when it has copied or
// decompressed its parts. It is overwritten before it is read again.
func (m *boundedMemory) Free(b []byte) {
	if cap(b) > cap(m.free) {
		m.free = b
	}
}

// arrowCells returns the cells of an array, which must have rows rows and no nulls. All
// but bools and Ends share memory with it.
func arrowCells(a arrow.Array, rows int) (_ Cells, err error) {
	defer fault.RecoverCorrupt(&err)
	if a.Len() != rows || a.NullN() > 0 {
		return Cells{}, fault.Corrupt("%d rows and %d nulls, want %d rows", a.Len(), a.NullN(), rows)
	}
	switch a := a.(type) {
	case *array.Boolean:
		return boolCells(a, rows), nil
	case *array.String:
		return varCells(a.Data().Buffers()[1].Bytes(), rows, a.Data().Buffers()[2].Bytes(), 1)
	case *array.List:
		return varCells(a.Data().Buffers()[1].Bytes(), rows, valueBytes(a.ListValues()), valueSize(a.ListValues()))
	case *array.FixedSizeList:
		n := rows * int(a.DataType().(*arrow.FixedSizeListType).Len()) * valueSize(a.ListValues())
		return Cells{Rows: rows, Values: valueBytes(a.ListValues())[:n]}, nil
	}
	return Cells{Rows: rows, Values: valueBytes(a)[:rows*valueSize(a)]}, nil
}

func boolCells(a *array.Boolean, rows int) Cells {
	values := make([]byte, rows)
	for i := range rows {
		if a.Value(i) {
			values[i] = 1
		}
	}
	return Cells{Rows: rows, Values: values}
}

func valueBytes(a arrow.Array) []byte {
	if b := a.Data().Buffers()[1]; b != nil {
		return b.Bytes()
	}
	return nil
}

func valueSize(a arrow.Array) int { return a.DataType().(arrow.FixedWidthDataType).Bytes() }

// varCells returns rows lists that offsets (int32 bytes) cut out of values of size
// bytes each. Offsets begin with 0 and never decrease.
func varCells(offsets []byte, rows int, values []byte, size int) (Cells, error) {
	c := Cells{Rows: rows}
	previous := int32(0)
	for i := range rows + 1 {
		end := int32(binary.LittleEndian.Uint32(offsets[4*i:]))
		if end < previous || i == 0 && end != 0 {
			return c, fault.Corrupt("offset %d after %d", end, previous)
		}
		previous = end
		if i > 0 {
			c.Ends = append(c.Ends, end)
		}
	}
	c.Values = values[:int(previous)*size]
	return c, nil
}

// arrowFrame holds the bytes around the record batches of an Arrow file, as arrowWriter
// writes them for a file without batches. In a file with batches only these differ, all
// in the footer: two offsets that span the batches, the number of batches, and the block
// that locates each batch.
//
// Arrow's parser allocates as much as these bytes ask for, and running out of memory
// cannot be recovered. So the reader compares them before Arrow parses them.
type arrowFrame struct{ head, footer []byte }

// Sizes and positions in the footer, in bytes.
const (
	arrowTrailer   = 10 // behind the footer: its length and the magic
	arrowBlockSize = 24 // size of a block
	arrowSpans     = 24 // the two uint32 offsets that span the batches
	arrowCount     = 36 // the number of batches
	arrowBlocks    = 40 // the first block
)

func newArrowFrame(s Spec) (arrowFrame, error) {
	var file bytes.Buffer
	w, err := newArrowWriter(&file, s)
	if err != nil {
		return arrowFrame{}, err
	}
	if err := w.Close(); err != nil {
		return arrowFrame{}, err
	}
	data := file.Bytes()
	footer, err := readArrowFooter(bytes.NewReader(data), int64(len(data)))
	return arrowFrame{data[:len(data)-arrowTrailer-len(footer)], footer}, err
}

// check returns the blocks of a file, or ErrCorrupt if the file begins or ends differently.
// What a block claims for its batch is checked when the batch is read.
func (f arrowFrame) check(r ReadSeekerAt) ([]arrowBlock, error) {
	size, err := r.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, err
	}
	footer, err := readArrowFooter(r, size)
	if err != nil {
		return nil, err
	}
	head := make([]byte, len(f.head))
	if _, err := r.ReadAt(head, 0); err != nil || !bytes.Equal(head, f.head) {
		return nil, fault.Corrupt("columns or metadata at the start of the file differ from the expected")
	}
	batches := (len(footer) - len(f.footer)) / arrowBlockSize
	if batches < 0 || !bytes.Equal(withoutBlocks(footer, batches), f.footerOf(batches)) {
		return nil, fault.Corrupt("columns or metadata in the footer differ from the expected")
	}
	return parseBlocks(footer[arrowBlocks:], batches, size)
}

// readArrowFooter returns the footer of a file of size bytes.
func readArrowFooter(r io.ReaderAt, size int64) ([]byte, error) {
	if size < arrowTrailer {
		return nil, fault.Corrupt("file of %d bytes is too short for Arrow", size)
	}
	var end [arrowTrailer]byte
	if _, err := r.ReadAt(end[:], size-arrowTrailer); err != nil {
		return nil, fault.Corrupt("%w", err)
	}
	n := int64(binary.LittleEndian.Uint32(end[:]))
	if string(end[4:]) != "ARROW1" || n > size-arrowTrailer {
		return nil, fault.Corrupt("no Arrow footer at the end of the file")
	}
	footer := make([]byte, n)
	if _, err := r.ReadAt(footer, size-arrowTrailer-n); err != nil {
		return nil, fault.Corrupt("%w", err)
	}
	return footer, nil
}

// footerOf returns the footer of a file with batches, without their blocks.
func (f arrowFrame) footerOf(batches int) []byte {
	footer := slices.Clone(f.footer)
	for _, at := range []int{arrowSpans, arrowSpans + 4} {
		v := binary.LittleEndian.Uint32(footer[at:])
		binary.LittleEndian.PutUint32(footer[at:], v+uint32(batches*arrowBlockSize))
	}
	binary.LittleEndian.PutUint32(footer[arrowCount:], uint32(batches))
	return footer
}

func withoutBlocks(footer []byte, batches int) []byte {
	if end := arrowBlocks + batches*arrowBlockSize; end <= len(footer) {
		return slices.Concat(footer[:arrowBlocks], footer[end:])
	}
	return nil
}

// arrowBlock locates a record batch: its message, then its body.
type arrowBlock struct{ offset, meta, body int64 }

// parseBlocks returns the first n blocks of a footer. They must be inside the file.
func parseBlocks(footer []byte, n int, size int64) ([]arrowBlock, error) {
	blocks := make([]arrowBlock, n)
	for i := range blocks {
		data := footer[i*arrowBlockSize:]
		b := arrowBlock{
			offset: int64(binary.LittleEndian.Uint64(data)),
			meta:   int64(int32(binary.LittleEndian.Uint32(data[8:]))),
			body:   int64(binary.LittleEndian.Uint64(data[16:])),
		}
		if b.offset < 0 || b.meta < 0 || b.body < 0 || b.offset > size || b.meta > size-b.offset || b.body > size-b.offset-b.meta {
			return nil, fault.Corrupt("record batch %d of %d and %d bytes at %d in a file of %d", i, b.meta, b.body, b.offset, size)
		}
		blocks[i] = b
	}
	return blocks, nil
}

// rows returns the rows that the message of a batch claims, without Arrow, which decodes the
// batch first. It panics if the message ends early; the reader recovers.
func (b arrowBlock) rows(r io.ReaderAt) (int64, error) {
	message := make([]byte, b.meta)
	if _, err := r.ReadAt(message, b.offset); err != nil {
		return 0, fault.Corrupt("%w", err)
	}
	const prefix = 8 // the continuation marker and the length
	body := message[prefix:]
	root := flatbuffers.Table{Bytes: body, Pos: flatbuffers.GetUOffsetT(body)}
	header := root.Offset(messageHeader)
	if header == 0 {
		return 0, fault.Corrupt("record batch without a header")
	}
	var batch flatbuffers.Table
	root.Union(&batch, flatbuffers.UOffsetT(header))
	return batch.GetInt64Slot(batchLength, 0), nil
}

// Places of fields in the tables of Arrow's IPC format: 4 for the first, 6 for the second and so on.
const (
	messageHeader = 8
	batchLength   = 4
)
