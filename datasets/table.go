package datasets

import (
	"fmt"
	"io"

	"selfplay/encode"
)

// tableSpec is what a data file holds.
type tableSpec struct {
	format   string // Parquet or Arrow
	packed   bool   // arrays as bytes
	columns  []encode.Column
	metadata []encode.KeyValue
	rows     int // of a Parquet row group, the last may have fewer
}

// Rows of a row group. A game is as large as a hundred positions or more. Those of
// positions are in memory, encoded, until there are so many.
const (
	PositionsGroup = 65536
	gamesGroup     = 4096
)

// cells is a run of cells of one column, as in an encode.Table: values are
// little-endian bytes; ends, of Var columns only, count values from the run's
// first.
type cells struct {
	rows   int
	values []byte
	ends   []int32
}

// cut returns the cells of rows from up to to.
func cut(t *encode.Table, col, from, to int) cells {
	c := t.Columns[col]
	if c.Len != encode.Var {
		size := max(c.Len, 1) * c.Kind.Size()
		return cells{rows: to - from, values: t.Data[col][from*size : to*size]}
	}
	return cells{to - from, t.Data[col], t.Ends[col]}.slice(from, to, c.Kind.Size())
}

// slice returns rows from up to to of Var cells. Ends keep counting from the
// first value of c, so that no copy is needed: base tells by how much.
func (c cells) slice(from, to, size int) cells {
	base, end := 0, 0
	if from > 0 {
		base = int(c.ends[from-1])
	}
	if to > 0 {
		end = int(c.ends[to-1])
	}
	ends := make([]int32, 0, to-from)
	for _, e := range c.ends[from:to] {
		ends = append(ends, e-int32(base))
	}
	return cells{to - from, c.values[base*size : end*size], ends}
}

// tableWriter writes a table into one file, rows in order. The bytes depend on
// the rows and, for Arrow, on how they are cut into tables.
type tableWriter interface {
	// Write appends the rows of t, which is the caller's again when it returns.
	Write(t *encode.Table) error
	// Close writes what is left, footer included. It does not close the sink.
	Close() error
}

// tableReader reads a file back, group by group. It decodes in the calling
// goroutine; whatever is wrong with the file is ErrCorrupt.
type tableReader interface {
	// Groups returns how many row groups (record batches) there are.
	Groups() int
	// Rows returns how many rows a group has.
	Rows(group int) (int, error)
	// Scan calls visit with the cells of one column of a group, in order. They
	// are visit's only until it returns.
	Scan(group, col int, visit func(cells)) error
	// Metadata returns the key/value metadata that was given to the writer.
	Metadata() []encode.KeyValue
}

// newTableWriter returns a writer to w. It never closes w: the file under it has
// to be synced first.
func newTableWriter(w io.Writer, s tableSpec) (tableWriter, error) {
	switch s.format {
	case Parquet:
		return newParquetWriter(w, s)
	case Arrow:
		return newArrowWriter(w, s)
	}
	return nil, fmt.Errorf("write format %q: %w", s.format, ErrUnsupported)
}

// readerAt is what a table is read from.
type readerAt interface {
	io.Reader
	io.ReaderAt
	io.Seeker
}

// newTableReader returns a reader of a file that must hold exactly what s says.
func newTableReader(r readerAt, s tableSpec) (tableReader, error) {
	switch s.format {
	case Parquet:
		return newParquetReader(r, s)
	case Arrow:
		return newArrowReader(r, s)
	}
	return nil, fmt.Errorf("read format %q: %w", s.format, ErrUnsupported)
}

// readGroup appends a row group to t.
func readGroup(r tableReader, group int, t *encode.Table) error {
	rows, err := scanGroup(r, group, t.Columns, func(col int, v cells) {
		appendCells(t, col, v)
	})
	t.Rows += rows
	return err
}

// digestGroup adds a row group to a digest.
func digestGroup(r tableReader, group int, d *rowDigest) error {
	rows, err := scanGroup(r, group, d.columns, d.addCells)
	d.rows += uint64(rows)
	return err
}

// scanGroup visits the cells of all columns of a group, column after column, and
// returns how many rows it has.
func scanGroup(r tableReader, group int, columns []encode.Column, visit func(col int, v cells)) (int, error) {
	rows, err := r.Rows(group)
	if err != nil {
		return 0, fmt.Errorf("row group %d: %w", group, err)
	}
	for col, c := range columns {
		n := 0
		err := r.Scan(group, col, func(v cells) {
			n += v.rows
			visit(col, v)
		})
		if err != nil {
			return 0, fmt.Errorf("row group %d: column %s: %w", group, c.Name, err)
		}
		if n != rows {
			return 0, corrupt("row group %d: column %s: %d rows, want %d", group, c.Name, n, rows)
		}
	}
	return rows, nil
}

// appendCells appends cells to a column.
func appendCells(t *encode.Table, col int, v cells) {
	t.Ends[col] = appendEnds(t.Ends[col], v.ends, len(t.Data[col])/t.Columns[col].Kind.Size())
	t.Data[col] = append(t.Data[col], v.values...)
}

// appendEnds appends ends that count from base.
func appendEnds(dst, ends []int32, base int) []int32 {
	for _, end := range ends {
		dst = append(dst, int32(base)+end)
	}
	return dst
}
