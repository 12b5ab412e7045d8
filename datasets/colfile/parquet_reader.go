package colfile

import (
	"fmt"
	"io"

	"github.com/apache/arrow/go/v17/parquet/file"

	"selfplay/datasets/internal/fault"
	"selfplay/encode"
)

// parquetReader reads the files of parquetWriter only: another schema, encoding or page
// layout is ErrCorrupt.
type parquetReader struct {
	file   *file.Reader
	source io.ReaderAt
	size   int64 // of the file, in bytes
	limit  int   // rows of a row group
	leaves []*leaf

	packed, body []byte // of the last page
}

func newParquetReader(r ReadSeekerAt, s Spec) (_ *parquetReader, err error) {
	defer fault.RecoverCorrupt(&err)
	size, err := r.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, err
	}
	if err := checkParquetFooter(r, size); err != nil {
		return nil, err
	}
	f, err := file.NewParquetReader(r)
	if err != nil {
		return nil, fault.Corrupt("%w", err)
	}
	if !f.MetaData().Schema.Root().Equals(parquetSchema(s).Root()) { // Schema.Equals compares leaves only
		return nil, fault.Corrupt("schema differs from the expected columns")
	}
	p := &parquetReader{file: f, source: r, size: size, limit: s.groupLimit()}
	for _, c := range s.Columns {
		p.leaves = append(p.leaves, newLeaf(c, s.Packed))
	}
	for group := range p.Groups() {
		if err := p.checkGroup(group); err != nil {
			return nil, fmt.Errorf("row group %d: %w", group, err)
		}
	}
	return p, nil
}

// Groups returns the number of row groups.
func (p *parquetReader) Groups() int { return p.file.NumRowGroups() }

// Rows returns the rows of a row group according to the footer.
func (p *parquetReader) Rows(group int) (int, error) {
	return int(p.file.RowGroup(group).NumRows()), nil
}

// Metadata returns the key/value metadata without the stored schema.
func (p *parquetReader) Metadata() []encode.KeyValue {
	var list []encode.KeyValue
	kv := p.file.MetaData().KeyValueMetadata()
	values := kv.Values()
	for i, key := range kv.Keys() {
		if key != arrowSchemaKey {
			list = append(list, encode.KeyValue{Key: key, Value: values[i]})
		}
	}
	return list
}
