package colfile

import (
	"fmt"
	"io"

	"selfplay/datasets/internal/fault"
	"selfplay/encode"
)

// tableSpec is what a data file holds.
type Spec struct {
	Format    string // Parquet or Arrow
	Packed    bool   // arrays as bytes
	Columns   []encode.Column
	Metadata  []encode.KeyValue
	GroupRows int // of a Parquet row group, the last may have fewer
}

// Rows of a row group. A game is as large as a hundred positions or more. Those of
// positions are in memory, encoded, until there are so many.
const (
	PositionsGroup = 65536
	GamesGroup     = 4096
)

// batchRows is the number of rows of an Arrow record batch of positions.
const BatchRows = 8192

// cells is a run of cells of one column, as in an encode.Table: values are
// little-endian bytes; ends, of Var columns only, count values from the run's
// first.
type Cells struct {
	Rows   int
	Values []byte
	Ends   []int32
}

// cut returns the cells of rows from up to to.
func Cut(t *encode.Table, col, from, to int) Cells {
	c := t.Columns[col]
	if c.Len != encode.Var {
		size := max(c.Len, 1) * c.Kind.Size()
		return Cells{Rows: to - from, Values: t.Data[col][from*size : to*size]}
	}
	return Cells{to - from, t.Data[col], t.Ends[col]}.Slice(from, to, c.Kind.Size())
}

// slice returns rows from up to to of Var cells. Ends keep counting from the
// first value of c, so that no copy is needed: base tells by how much.
func (c Cells) Slice(from, to, size int) Cells {
	base, end := 0, 0
	if from > 0 {
		base = int(c.Ends[from-1])
	}
	if to > 0 {
		end = int(c.Ends[to-1])
	}
	ends := make([]int32, 0, to-from)
	for _, e := range c.Ends[from:to] {
		ends = append(ends, e-int32(base))
	}
	return Cells{to - from, c.Values[base*size : end*size], ends}
}

// tableWriter writes a table into one file, rows in order. The bytes depend on
// the rows and, for Arrow, on how they are cut into tables.
type Writer interface {
	// Write appends the rows of t, which is the caller's again when it returns.
	Write(t *encode.Table) error
	// Close writes what is left, footer included. It does not close the sink.
	Close() error
}

// tableReader reads a file back, group by group. It decodes in the calling
// goroutine; whatever is wrong with the file is ErrCorrupt.
type Reader interface {
	// Groups returns how many row groups (record batches) there are.
	Groups() int
	// Rows returns how many rows a group has.
	Rows(group int) (int, error)
	// Scan calls visit with the cells of one column of a group, in order. They
	// are visit's only until it returns.
	Scan(group, col int, visit func(Cells)) error
	// Metadata returns the key/value metadata that was given to the writer.
	Metadata() []encode.KeyValue
}

// newTableWriter returns a writer to w. It never closes w: the file under it has
// to be synced first.
func NewWriter(w io.Writer, s Spec) (Writer, error) {
	switch s.Format {
	case Parquet:
		return newParquetWriter(w, s)
	case Arrow:
		return newArrowWriter(w, s)
	}
	return nil, fmt.Errorf("write format %q: %w", s.Format, fault.ErrUnsupported)
}

// readerAt is what a table is read from.
type ReaderAt interface {
	io.Reader
	io.ReaderAt
	io.Seeker
}

// newTableReader returns a reader of a file that must hold exactly what s says.
func NewReader(r ReaderAt, s Spec) (Reader, error) {
	switch s.Format {
	case Parquet:
		return newParquetReader(r, s)
	case Arrow:
		return newArrowReader(r, s)
	}
	return nil, fmt.Errorf("read format %q: %w", s.Format, fault.ErrUnsupported)
}

// readGroup appends a row group to t.
func ReadGroup(r Reader, group int, t *encode.Table) error {
	rows, err := scanGroup(r, group, t.Columns, func(col int, v Cells) {
		AppendCells(t, col, v)
	})
	t.Rows += rows
	return err
}

// digestGroup adds a row group to a digest.
func DigestGroup(r Reader, group int, d *RowDigest) error {
	rows, err := scanGroup(r, group, d.columns, d.addCells)
	d.Rows += uint64(rows)
	return err
}

// scanGroup visits the cells of all columns of a group, column after column, and
// returns how many rows it has.
func scanGroup(r Reader, group int, columns []encode.Column, visit func(col int, v Cells)) (int, error) {
	rows, err := r.Rows(group)
	if err != nil {
		return 0, fmt.Errorf("row group %d: %w", group, err)
	}
	for col, c := range columns {
		n := 0
		err := r.Scan(group, col, func(v Cells) {
			n += v.Rows
			visit(col, v)
		})
		if err != nil {
			return 0, fmt.Errorf("row group %d: column %s: %w", group, c.Name, err)
		}
		if n != rows {
			return 0, fault.Corrupt("row group %d: column %s: %d rows, want %d", group, c.Name, n, rows)
		}
	}
	return rows, nil
}

// appendCells appends cells to a column.
func AppendCells(t *encode.Table, col int, v Cells) {
	t.Ends[col] = appendEnds(t.Ends[col], v.Ends, len(t.Data[col])/t.Columns[col].Kind.Size())
	t.Data[col] = append(t.Data[col], v.Values...)
}

// appendEnds appends ends that count from base.
func appendEnds(dst, ends []int32, base int) []int32 {
	for _, end := range ends {
		dst = append(dst, int32(base)+end)
	}
	return dst
}

// appendRows appends rows of src, from up to to, to dst.
func AppendRows(dst, src *encode.Table, from, to int) {
	for col := range src.Columns {
		AppendCells(dst, col, Cut(src, col, from, to))
	}
	dst.Rows += to - from
}
