package colfile

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"io"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/ipc"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"selfplay/encode"
)

// arrowTypes are the Arrow types of single values.
var arrowTypes = map[encode.Kind]arrow.DataType{
	encode.Bool:   arrow.FixedWidthTypes.Boolean,
	encode.Uint8:  arrow.PrimitiveTypes.Uint8,
	encode.Uint16: arrow.PrimitiveTypes.Uint16,
	encode.Uint32: arrow.PrimitiveTypes.Uint32,
	encode.Uint64: arrow.PrimitiveTypes.Uint64,
	encode.Int8:   arrow.PrimitiveTypes.Int8,
	encode.Int16:  arrow.PrimitiveTypes.Int16,
}

// arrowType returns the Arrow type of a column, not nullable at any level.
func arrowType(c encode.Column, packed bool) arrow.DataType {
	if c.Kind == encode.String {
		return arrow.BinaryTypes.String
	}
	element := arrow.Field{Name: "element", Type: arrowTypes[c.Kind]}
	switch {
	case c.Len == encode.Scalar:
		return element.Type
	case c.Len == encode.Var:
		return arrow.ListOfField(element)
	case packed:
		return &arrow.FixedSizeBinaryType{ByteWidth: c.Len * c.Kind.Size()}
	}
	return arrow.FixedSizeListOfField(int32(c.Len), element)
}

// arrowSchema returns the Arrow schema of a file.
func arrowSchema(s Spec) *arrow.Schema {
	var fields []arrow.Field
	for _, c := range s.Columns {
		fields = append(fields, arrow.Field{Name: c.Name, Type: arrowType(c, s.Packed)})
	}
	var keys, values []string
	for _, kv := range s.Metadata {
		keys, values = append(keys, kv.Key), append(values, kv.Value)
	}
	metadata := arrow.NewMetadata(keys, values)
	return arrow.NewSchema(fields, &metadata)
}

// storedSchema returns the value of Parquet's ARROW:schema key: the schema as an IPC
// message in base64. Readers that know the key return arrays as fixed-size lists;
// Parquet itself has no such type. They return the metadata of this schema, too, and not
// that of the Parquet file.
func storedSchema(s Spec) (string, error) {
	var b bytes.Buffer
	w := ipc.NewWriter(&b, ipc.WithSchema(arrowSchema(s)))
	if err := w.Close(); err != nil {
		return "", err
	}
	return base64.StdEncoding.EncodeToString(b.Bytes()), nil
}

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
