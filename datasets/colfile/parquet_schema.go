package colfile

import (
	"fmt"

	"github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/compress"
	"github.com/apache/arrow/go/v17/parquet/metadata"
	"github.com/apache/arrow/go/v17/parquet/schema"

	"selfplay/encode"
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
