package colfile

import (
	"fmt"
	"io"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/ipc"
	"github.com/apache/arrow/go/v17/arrow/memory"

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
	if m.left -= int64(size); size < 0 || m.left < 0 {
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
