package colfile

import (
	"encoding/binary"
	"fmt"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/ipc"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"selfplay/datasets/internal/fault"
	"selfplay/encode"
)

// arrowReader reads what arrowWriter writes, whatever bytes it is given: counts that
// Arrow's parser trusts are checked before (checkArrowFrame, boundedMemory), and its
// panics are recovered. Flipped bits of values go unnoticed, so a file has to be
// summed too.
type arrowReader struct {
	file   *ipc.FileReader
	groups int
	group  int // the batch that record holds, -1 for none
	record arrow.Record
}

func newArrowReader(r ReaderAt, s Spec) (_ *arrowReader, err error) {
	defer fault.RecoverCorrupt(&err)
	if err := checkArrowFrame(r, s); err != nil {
		return nil, err
	}
	f, err := ipc.NewFileReader(r, ipc.WithAllocator(boundedMemory{memory.NewGoAllocator()}))
	if err != nil {
		return nil, fault.Corrupt("%w", err)
	}
	if !f.Schema().Equal(arrowSchema(s)) {
		return nil, fault.Corrupt("the file has other columns")
	}
	return &arrowReader{file: f, groups: f.NumRecords(), group: -1}, nil
}

// Groups returns how many record batches there are.
func (a *arrowReader) Groups() int { return a.groups }

// Rows decodes a batch to count its rows: the footer does not.
func (a *arrowReader) Rows(group int) (int, error) {
	if err := a.load(group); err != nil {
		return 0, err
	}
	return int(a.record.NumRows()), nil
}

// load decodes a batch, unless it is the one at hand.
func (a *arrowReader) load(group int) (err error) {
	defer fault.RecoverCorrupt(&err)
	if group == a.group {
		return nil
	}
	record, err := a.file.Record(group)
	if err != nil {
		return fault.Corrupt("%w", err)
	}
	if record.NumRows() > maxBatch {
		return fault.Corrupt("%d rows", record.NumRows())
	}
	a.group, a.record = group, record
	return nil
}

// maxBatch bounds the rows of a record batch: a batch is closed by the game that
// fills it.
const maxBatch = BatchRows + 1<<16

// boundedMemory panics where damaged metadata asks for too much; the reader
// recovers.
type boundedMemory struct{ memory.Allocator }

// Allocate returns size bytes.
func (m boundedMemory) Allocate(size int) []byte {
	if size < 0 || size > maxPage {
		panic(fmt.Sprintf("buffer of %d bytes", size))
	}
	return m.Allocator.Allocate(size)
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

// Scan visits a column of a batch, all of it at once.
func (a *arrowReader) Scan(group, col int, visit func(Cells)) error {
	if err := a.load(group); err != nil {
		return err
	}
	c, err := arrayCells(a.record.Column(col), int(a.record.NumRows()))
	if err != nil {
		return err
	}
	visit(c)
	return nil
}

// arrayCells returns the cells of an array that must have so many rows.
func arrayCells(a arrow.Array, rows int) (_ Cells, err error) {
	defer fault.RecoverCorrupt(&err)
	if a.Len() != rows || a.NullN() > 0 {
		return Cells{}, fault.Corrupt("%d rows and %d nulls, want %d rows", a.Len(), a.NullN(), rows)
	}
	switch a := a.(type) {
	case *array.Boolean:
		values := make([]byte, rows)
		for i := range rows {
			if a.Value(i) {
				values[i] = 1
			}
		}
		return Cells{Rows: rows, Values: values}, nil
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

func valueBytes(a arrow.Array) []byte {
	if b := a.Data().Buffers()[1]; b != nil {
		return b.Bytes()
	}
	return nil
}

func valueSize(a arrow.Array) int { return a.DataType().(arrow.FixedWidthDataType).Bytes() }

// varCells returns the cells that offsets cut out of values.
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
