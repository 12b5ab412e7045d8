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
// is the root: Arrow's default root is repeated, which some readers refuse.
func parquetSchema(s Spec) (*schema.Schema, error) {
	var fields schema.FieldList
	for _, c := range s.Columns {
		node, err := parquetNode(c, s.Packed)
		if err != nil {
			return nil, fmt.Errorf("column %s: %w", c.Name, err)
		}
		fields = append(fields, node)
	}
	root, err := schema.NewGroupNode("schema", parquet.Repetitions.Required, fields, -1)
	if err != nil {
		return nil, err
	}
	return schema.NewSchema(root), nil
}

func parquetNode(c encode.Column, packed bool) (schema.Node, error) {
	switch {
	case c.Kind == encode.String:
		return schema.NewPrimitiveNodeLogical(c.Name, parquet.Repetitions.Required,
			schema.StringLogicalType{}, parquet.Types.ByteArray, -1, -1)
	case c.Len == encode.Scalar:
		return parquetScalar(c.Name, c.Kind)
	case c.Len > 0 && packed:
		return schema.NewPrimitiveNode(c.Name, parquet.Repetitions.Required,
			parquet.Types.FixedLenByteArray, -1, int32(c.Len*c.Kind.Size()))
	}
	return parquetList(c)
}

// parquetList returns the three-level list of the Parquet format: required column,
// repeated "list", required "element".
func parquetList(c encode.Column) (schema.Node, error) {
	element, err := parquetScalar("element", c.Kind)
	if err != nil {
		return nil, err
	}
	list, err := schema.NewGroupNode("list", parquet.Repetitions.Repeated, schema.FieldList{element}, -1)
	if err != nil {
		return nil, err
	}
	return schema.NewGroupNodeLogical(c.Name, parquet.Repetitions.Required, schema.FieldList{list},
		schema.NewListLogicalType(), -1)
}

// parquetScalar returns the node of a bool or an integer. Parquet stores 8- and 16-bit
// integers in an INT32 and marks them with a logical type.
func parquetScalar(name string, kind encode.Kind) (schema.Node, error) {
	if kind == encode.Bool {
		return schema.NewPrimitiveNode(name, parquet.Repetitions.Required, parquet.Types.Boolean, -1, -1)
	}
	physical := parquet.Types.Int32
	if kind == encode.Uint64 {
		physical = parquet.Types.Int64
	}
	logical := schema.NewIntLogicalType(int8(8*kind.Size()), Signed(kind))
	return schema.NewPrimitiveNodeLogical(name, parquet.Repetitions.Required, logical, physical, -1, -1)
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
