package colfile

import (
	"fmt"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/ipc"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"selfplay/datasets/internal/fault"
	"selfplay/encode"
)

// arrowReader reads the files of arrowWriter and survives any other bytes. It checks the
// counts that Arrow's parser trusts (arrowFrame, boundedMemory) and recovers the
// parser's panics. It cannot see flipped bits in values: Arrow IPC has no checksums.
type arrowReader struct {
	file   *ipc.FileReader
	groups int
	group  int // number of batch, -1 before the first
	batch  arrow.Record
}

func newArrowReader(r ReadSeekerAt, s Spec) (_ *arrowReader, err error) {
	defer fault.RecoverCorrupt(&err)
	frame, err := newArrowFrame(s)
	if err != nil {
		return nil, err
	}
	if err := frame.check(r); err != nil {
		return nil, err
	}
	f, err := ipc.NewFileReader(r, ipc.WithAllocator(boundedMemory{memory.NewGoAllocator()}))
	if err != nil {
		return nil, fault.Corrupt("%w", err)
	}
	if !f.Schema().Equal(arrowSchema(s)) {
		return nil, fault.Corrupt("schema differs from the expected columns")
	}
	return &arrowReader{file: f, groups: f.NumRecords(), group: -1}, nil
}

// Groups returns the number of record batches.
func (a *arrowReader) Groups() int { return a.groups }

// Rows decodes a batch and returns its number of rows, which the footer does not state.
func (a *arrowReader) Rows(group int) (int, error) {
	if err := a.load(group); err != nil {
		return 0, err
	}
	return int(a.batch.NumRows()), nil
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

// Metadata returns the schema's metadata.
func (a *arrowReader) Metadata() []encode.KeyValue {
	var list []encode.KeyValue
	m := a.file.Schema().Metadata()
	for i, key := range m.Keys() {
		list = append(list, encode.KeyValue{Key: key, Value: m.Values()[i]})
	}
	return list
}

// maxBatch bounds the rows of a record batch. The last game of a batch may exceed
// BatchRows.
const maxBatch = BatchRows + 1<<16

// load decodes a batch unless it is the current one.
func (a *arrowReader) load(group int) (err error) {
	defer fault.RecoverCorrupt(&err)
	if group == a.group {
		return nil
	}
	batch, err := a.file.Record(group)
	if err != nil {
		return fault.Corrupt("%w", err)
	}
	if batch.NumRows() > maxBatch {
		return fault.Corrupt("record batch of %d rows, want at most %d", batch.NumRows(), maxBatch)
	}
	a.group, a.batch = group, batch
	return nil
}

// boundedMemory panics where damaged metadata asks for too much memory. The reader
// recovers.
type boundedMemory struct{ memory.Allocator }

// Allocate returns size bytes.
func (m boundedMemory) Allocate(size int) []byte {
	if size < 0 || size > maxPage {
		panic(fmt.Sprintf("buffer of %d bytes", size))
	}
	return m.Allocator.Allocate(size)
}
