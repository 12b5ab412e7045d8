package colfile

import (
	"fmt"
	"io"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/ipc"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"selfplay/encode"
)

// arrowWriter writes an Arrow IPC file, one record batch a table. Columns are
// mapped, not copied: a Table already is in Arrow's layout, but for bools.
//
// Arrow's compression runs in one goroutine: with more it can deadlock on an
// error. Flipped bits in the file go unnoticed by its readers; the SHA-256 in the
// commit record is the only guard.
type arrowWriter struct {
	columns []encode.Column
	schema  *arrow.Schema
	sink    *CountingWriter
	w       recordWriter
	closed  bool
}

// recordWriter is an ipc.FileWriter or an ipc.Writer.
type recordWriter interface {
	Write(arrow.Record) error
	Close() error
}

func newArrowWriter(w io.Writer, s Spec) (*arrowWriter, error) {
	a := &arrowWriter{columns: s.Columns, schema: arrowSchema(s), sink: &CountingWriter{W: w}}
	var err error
	a.w, err = ipc.NewFileWriter(seekless{a.sink}, ipc.WithSchema(a.schema), ipc.WithZstd(), ipc.WithCompressConcurrency(1))
	return a, err
}

// seekless gives Arrow the offset that it asks for by seeking nowhere.
type seekless struct{ *CountingWriter }

func (s seekless) Seek(offset int64, whence int) (int64, error) {
	if offset != 0 || whence != io.SeekCurrent {
		panic("datasets: Arrow's file writer moved back")
	}
	return s.N, nil
}

// Write appends the rows of t as one batch.
func (a *arrowWriter) Write(t *encode.Table) error {
	if a.closed {
		return errClosed
	}
	if t.Rows == 0 {
		return nil
	}
	columns := make([]arrow.Array, len(a.columns))
	for i := range a.columns {
		columns[i] = mapColumn(a.schema.Field(i).Type, t, i)
	}
	if err := a.w.Write(array.NewRecord(a.schema, columns, int64(t.Rows))); err != nil {
		return err
	}
	return a.sink.err
}

// mapColumn returns the Arrow array over the values of a column.
func mapColumn(typ arrow.DataType, t *encode.Table, col int) arrow.Array {
	values, rows := t.Data[col], t.Rows
	switch typ := typ.(type) {
	case *arrow.BooleanType:
		return mapArray(typ, rows, packBits(nil, values))
	case *arrow.StringType:
		return mapArray(typ, rows, appendOffsets(nil, t.Ends[col]), values)
	case *arrow.ListType:
		return mapList(typ, rows, mapElements(typ.Elem(), values), appendOffsets(nil, t.Ends[col]))
	case *arrow.FixedSizeListType:
		return mapList(typ, rows, mapElements(typ.Elem(), values))
	}
	return mapArray(typ, rows, values)
}

func mapElements(typ arrow.DataType, values []byte) arrow.ArrayData {
	return mapArray(typ, len(values)/typ.(arrow.FixedWidthDataType).Bytes(), values).Data()
}

// mapArray returns an array without nulls over buffers.
func mapArray(typ arrow.DataType, n int, buffers ...[]byte) arrow.Array {
	return array.MakeFromData(array.NewData(typ, n, noNulls(buffers), nil, 0, 0))
}

func mapList(typ arrow.DataType, n int, elements arrow.ArrayData, buffers ...[]byte) arrow.Array {
	return array.MakeFromData(array.NewData(typ, n, noNulls(buffers), []arrow.ArrayData{elements}, 0, 0))
}

// noNulls puts an absent validity bitmap before the buffers.
func noNulls(buffers [][]byte) []*memory.Buffer {
	all := []*memory.Buffer{nil}
	for _, b := range buffers {
		all = append(all, memory.NewBufferBytes(b))
	}
	return all
}

// appendOffsets appends Arrow's offsets, which begin with 0, as bytes.
func appendOffsets(dst []byte, ends []int32) []byte {
	return append(dst, arrow.Int32Traits.CastToBytes(append([]int32{0}, ends...))...)
}

// Close writes the footer.
func (a *arrowWriter) Close() error {
	if a.closed {
		return errClosed
	}
	a.closed = true
	if err := a.w.Close(); err != nil {
		return fmt.Errorf("footer: %w", err)
	}
	return a.sink.err
}
