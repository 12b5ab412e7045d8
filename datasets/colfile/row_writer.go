package colfile

import (
	"fmt"
	"io"

	"selfplay/datasets/internal/fault"
	"selfplay/encode"
)

// ArrowStream is a format for rows outside datasets: Arrow record batches without the
// footer, which a program can read while they are written.
const ArrowStream = "arrow-stream"

// RowFile describes a file of rows that is not part of a dataset.
type RowFile struct {
	Format    string // Parquet, Arrow or ArrowStream
	BoardType string // List or Packed
	Columns   []encode.Column
	Metadata  []encode.KeyValue
	Compress  bool // zstd for an ArrowStream; the other formats always compress
}

// RowWriter writes a RowFile. Its bytes depend on the rows only, not on the tables they
// come in: Arrow batches have BatchRows rows, the last may have fewer.
type RowWriter struct {
	table Writer
	batch *encode.Table // the open Arrow batch; nil for Parquet
}

// NewRowWriter returns a RowWriter to w, which it never closes. An unknown format or
// board type is ErrUnsupported.
func NewRowWriter(w io.Writer, f RowFile) (*RowWriter, error) {
	if f.BoardType != List && f.BoardType != Packed {
		return nil, fmt.Errorf("write board type %q: %w", f.BoardType, fault.ErrUnsupported)
	}
	if err := CheckColumns(f.Columns); err != nil {
		return nil, err
	}
	table, err := f.newWriter(w)
	if err != nil {
		return nil, err
	}
	r := &RowWriter{table: table}
	if f.Format != Parquet {
		r.batch = encode.NewTable(f.Columns)
	}
	return r, nil
}

func (f RowFile) newWriter(w io.Writer) (Writer, error) {
	s := Spec{
		Format: f.Format, Packed: f.BoardType == Packed, Columns: f.Columns,
		Metadata: f.Metadata, GroupRows: PositionGroupRows,
	}
	if f.Format == ArrowStream {
		s.Uncompressed = !f.Compress
		return newArrowStream(w, s), nil
	}
	return NewWriter(w, s)
}

// Write appends the rows of t, which the caller may change afterwards. Rows that make a whole
// batch are not copied.
func (r *RowWriter) Write(t *encode.Table) error {
	if r.batch == nil {
		return r.table.Write(t)
	}
	for from := 0; from < t.Rows; {
		n := min(t.Rows-from, BatchRows-r.batch.Rows)
		var err error
		if n == BatchRows {
			err = r.table.Write(view(t, from, from+n))
		} else if AppendRows(r.batch, t, from, from+n); r.batch.Rows == BatchRows {
			err = r.Flush()
		}
		if err != nil {
			return err
		}
		from += n
	}
	return nil
}

// view returns rows from to to-1 of a table. Values share memory with t.
func view(t *encode.Table, from, to int) *encode.Table {
	v := encode.NewTable(t.Columns)
	v.Rows = to - from
	for col := range t.Columns {
		cells := cut(t, col, from, to)
		v.Data[col], v.Ends[col] = cells.Values, cells.Ends
	}
	return v
}

// Flush writes the rows of the open batch of an Arrow file or stream. Their batches are then
// shorter than BatchRows.
func (r *RowWriter) Flush() error {
	if r.batch == nil || r.batch.Rows == 0 {
		return nil
	}
	err := r.table.Write(r.batch)
	r.batch.Reset()
	return err
}

// Close writes the remaining rows and the footer. It does not close the sink.
func (r *RowWriter) Close() error {
	if err := r.Flush(); err != nil {
		return err
	}
	return r.table.Close()
}
