package colfile

import (
	"fmt"
	"io"

	"github.com/apache/arrow/go/v17/arrow/ipc"

	"selfplay/datasets/internal/fault"
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
	table Writer
	batch *encode.Table // of Arrow, until it is full
}

// NewRowWriter returns a writer to w, which it never closes.
func NewRowWriter(w io.Writer, f RowFile) (*RowWriter, error) {
	if f.BoardType != List && f.BoardType != Packed {
		return nil, fmt.Errorf("write board type %q: %w", f.BoardType, fault.ErrUnsupported)
	}
	if err := CheckColumns(f.Columns); err != nil {
		return nil, err
	}
	s := Spec{Format: f.Format, Packed: f.BoardType == Packed, Columns: f.Columns, Metadata: f.Metadata, GroupRows: PositionsGroup}
	r := new(RowWriter)
	var err error
	if f.Format == ArrowStream {
		r.table = newArrowStream(w, s, f.Compress)
	} else if r.table, err = NewWriter(w, s); err != nil {
		return nil, err
	}
	if f.Format != Parquet {
		r.batch = encode.NewTable(f.Columns)
	}
	return r, nil
}

// newArrowStream returns a writer of an Arrow IPC stream. Its schema comes with the
// first batch, or with Close.
func newArrowStream(w io.Writer, s Spec, compress bool) *arrowWriter {
	a := &arrowWriter{columns: s.Columns, schema: arrowSchema(s), sink: &CountingWriter{W: w}}
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
		n := min(t.Rows-from, BatchRows-r.batch.Rows)
		AppendRows(r.batch, t, from, from+n)
		from += n
		if r.batch.Rows == BatchRows {
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
