package datasets

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/apache/arrow/go/v17/arrow/ipc"

	"selfplay/encode"
)

// ArrowStream is a format of rows outside datasets: Arrow's record batches without the
// footer, so that they can be read while they are written.
const ArrowStream = "arrow-stream"

// RowFile says how a file that is no part of a dataset holds rows of one.
type RowFile struct {
	Format    string // Parquet, Arrow or ArrowStream
	BoardType string // List or Packed
	Columns   []encode.Column
	Metadata  []encode.KeyValue
	Compress  bool // an ArrowStream with zstd; the others always are
}

// RowWriter writes such a file. Its bytes depend on the rows alone, not on how they
// are cut into tables. It is used by one goroutine.
type RowWriter struct {
	table tableWriter
	batch *encode.Table // of Arrow, until it is full
}

// NewRowWriter returns a writer to w, which it never closes.
func NewRowWriter(w io.Writer, f RowFile) (*RowWriter, error) {
	if f.BoardType != List && f.BoardType != Packed {
		return nil, fmt.Errorf("write board type %q: %w", f.BoardType, ErrUnsupported)
	}
	if err := checkColumns(f.Columns); err != nil {
		return nil, err
	}
	s := tableSpec{format: f.Format, packed: f.BoardType == Packed, columns: f.Columns, metadata: f.Metadata, rows: PositionsGroup}
	r := new(RowWriter)
	var err error
	if f.Format == ArrowStream {
		r.table = newArrowStream(w, s, f.Compress)
	} else if r.table, err = newTableWriter(w, s); err != nil {
		return nil, err
	}
	if f.Format != Parquet {
		r.batch = encode.NewTable(f.Columns)
	}
	return r, nil
}

// newArrowStream returns a writer of an Arrow IPC stream. Its schema comes with the
// first batch, or with Close.
func newArrowStream(w io.Writer, s tableSpec, compress bool) *arrowWriter {
	a := &arrowWriter{columns: s.columns, schema: arrowSchema(s), sink: &sink{w: w}}
	options := []ipc.Option{ipc.WithSchema(a.schema)}
	if compress {
		options = append(options, ipc.WithZstd(), ipc.WithCompressConcurrency(1))
	}
	a.w = ipc.NewWriter(a.sink, options...)
	return a
}

// Write appends the rows of t, which is the caller's again when it returns.
func (r *RowWriter) Write(t *encode.Table) error {
	if r.batch == nil {
		return r.table.Write(t)
	}
	for from := 0; from < t.Rows; {
		n := min(t.Rows-from, positionsBatch-r.batch.Rows)
		appendRows(r.batch, t, from, from+n)
		from += n
		if r.batch.Rows == positionsBatch {
			if err := r.flush(); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *RowWriter) flush() error {
	if r.batch == nil || r.batch.Rows == 0 {
		return nil
	}
	err := r.table.Write(r.batch)
	r.batch.Reset()
	return err
}

// Close writes what is left, footer included.
func (r *RowWriter) Close() error {
	if err := r.flush(); err != nil {
		return err
	}
	return r.table.Close()
}

// RowMetadata returns what a file outside the dataset says of rows of it: all that a
// shard says of the meaning of numbers, and for the plan of a shard the plan of the
// dataset that the rows come from. The board type is empty where the form has but one.
// Who writes the file adds what was done to the rows.
func (ds *Dataset) RowMetadata(columns []encode.Column, boardType string) []encode.KeyValue {
	array := slices.ContainsFunc(columns, func(c encode.Column) bool { return c.Len > 0 })
	var list []encode.KeyValue
	for _, kv := range ds.h.metadata(positionsName, columns, 0, 0, 0) {
		switch name := strings.TrimPrefix(kv.Key, metadataPrefix); {
		case name == "plan_hash":
			kv.Key = metadataPrefix + "source_plan_hash"
		case name == "shard", name == "split", name == "first_game", name == "games":
			continue
		case strings.HasPrefix(name, "layout"), name == "board_type":
			if name == "board_type" {
				kv.Value = boardType
			}
			if !array || kv.Value == "" {
				continue
			}
		}
		list = append(list, kv)
	}
	return append(list, ds.h.description.Metadata...)
}
