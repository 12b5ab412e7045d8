package colfile

import (
	"bytes"
	"encoding/base64"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/ipc"

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
