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

// arrowWriter writes an Arrow IPC file or stream, one record batch per table. It maps
// columns without copying them: a Table has Arrow's layout already, except for bools
// and the leading zero of offsets.
type arrowWriter struct {
	columns []encode.Column
	schema  *arrow.Schema
	sink    *CountingWriter // keeps write errors that Arrow ignores
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
	a.w, err = ipc.NewFileWriter(seekless{a.sink}, arrowOptions(a.schema, s)...)
	return a, err
}

// newArrowStream returns a writer of an Arrow IPC stream. Its schema is written with
// the first batch, or by Close.
func newArrowStream(w io.Writer, s Spec) *arrowWriter {
	a := &arrowWriter{columns: s.Columns, schema: arrowSchema(s), sink: &CountingWriter{W: w}}
	a.w = ipc.NewWriter(a.sink, arrowOptions(a.schema, s)...)
	return a
}

// arrowOptions returns the options of an IPC writer. Compression runs in one goroutine,
// because Arrow's can deadlock on an error with more.
func arrowOptions(schema *arrow.Schema, s Spec) []ipc.Option {
	options := []ipc.Option{ipc.WithSchema(schema)}
	if !s.Uncompressed {
		options = append(options, ipc.WithZstd(), ipc.WithCompressConcurrency(1))
	}
	return options
}

// seekless is a sink without seeking. Arrow's file writer seeks only to learn its
// offset.
type seekless struct{ *CountingWriter }

func (s seekless) Seek(offset int64, whence int) (int64, error) {
	if offset != 0 || whence != io.SeekCurrent {
		panic("colfile: Arrow's file writer moves its offset")
	}
	return s.N, nil
}

// Write appends the rows of t as one batch. It writes no empty batch.
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

// Close writes the footer of a file, or the end of a stream.
func (a *arrowWriter) Close() error {
	if a.closed {
		return errClosed
	}
	a.closed = true
	if err := a.w.Close(); err != nil {
		return fmt.Errorf("write footer: %w", err)
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
		return mapArray(typ, rows, arrowOffsets(t.Ends[col]), values)
	case *arrow.ListType:
		return mapList(typ, rows, mapElements(typ.Elem(), values), arrowOffsets(t.Ends[col]))
	case *arrow.FixedSizeListType:
		return mapList(typ, rows, mapElements(typ.Elem(), values))
	}
	return mapArray(typ, rows, values)
}

func mapElements(typ arrow.DataType, values []byte) arrow.ArrayData {
	return mapArray(typ, len(values)/typ.(arrow.FixedWidthDataType).Bytes(), values).Data()
}

// mapArray returns an array of n values without nulls over buffers.
func mapArray(typ arrow.DataType, n int, buffers ...[]byte) arrow.Array {
	return array.MakeFromData(array.NewData(typ, n, withoutNulls(buffers), nil, 0, 0))
}

func mapList(typ arrow.DataType, n int, elements arrow.ArrayData, buffers ...[]byte) arrow.Array {
	return array.MakeFromData(array.NewData(typ, n, withoutNulls(buffers), []arrow.ArrayData{elements}, 0, 0))
}

// withoutNulls puts an absent validity bitmap before the buffers.
func withoutNulls(buffers [][]byte) []*memory.Buffer {
	all := []*memory.Buffer{nil}
	for _, b := range buffers {
		all = append(all, memory.NewBufferBytes(b))
	}
	return all
}

// arrowOffsets returns Arrow's offsets, which begin with 0, as bytes.
func arrowOffsets(ends []int32) []byte {
	return arrow.Int32Traits.CastToBytes(append([]int32{0}, ends...))
}
