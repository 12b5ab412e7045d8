package datasets

import (
	"fmt"
	"io"
	"slices"

	"selfplay/datasets/colfile"
	"selfplay/datasets/internal/fault"
	"selfplay/datasets/plan"
	"selfplay/datasets/record"
	"selfplay/encode"
)

// ColumnReader reads some columns of a data file of a committed shard, one group of rows at a
// time and in any order. It belongs to one goroutine; Fork makes readers for others.
type ColumnReader struct {
	r       *table
	name    string // of the file
	size    int64  // in bytes
	columns []int  // as indexes of the file
	t       *encode.Table
}

// OpenColumns opens file f of a part of a shard, plan.PositionsFile or plan.GamesFile, after its SHA-256 is checked.
// It panics if a name is not a column. The caller calls Close.
func (ds *Dataset) OpenColumns(p *record.Part, f int, names ...string) (*ColumnReader, error) {
	r, err := ds.openTable(p, f)
	if err != nil {
		return nil, err
	}
	return newColumnReader(r, p.Files[f].Name, p.Files[f].Bytes, names), nil
}

// newColumnReader returns a reader of the named columns. Their order in tables is that of the file.
func newColumnReader(r *table, name string, size int64, names []string) *ColumnReader {
	n := &ColumnReader{r: r, name: name, size: size}
	var columns []encode.Column
	for col, c := range r.spec.Columns {
		if slices.Contains(names, c.Name) {
			n.columns, columns = append(n.columns, col), append(columns, c)
		}
	}
	if len(columns) != len(names) {
		panic(fmt.Sprintf("datasets: read columns %q of %q", names, plan.ColumnNames(r.spec.Columns)))
	}
	n.t = encode.NewTable(columns)
	return n
}

// Fork returns a reader of the same open file for another goroutine, with other columns if names
// are given. It does not check the SHA-256 again. Only the first reader is closed, after the last
// use of its forks. It may be called while n is in use.
func (n *ColumnReader) Fork(names ...string) (*ColumnReader, error) {
	r, err := colfile.NewReader(io.NewSectionReader(n.r.f, 0, n.size), n.r.spec)
	if err != nil {
		return nil, n.fail(err)
	}
	if names == nil {
		for _, c := range n.t.Columns {
			names = append(names, c.Name)
		}
	}
	return newColumnReader(&table{Reader: r, f: n.r.f, spec: n.r.spec}, n.name, n.size, names), nil
}

// Close closes the file.
func (n *ColumnReader) Close() error { return n.r.Close() }

// Groups returns the number of groups: row groups of Parquet or record batches of Arrow.
func (n *ColumnReader) Groups() int { return n.r.Groups() }

// Columns returns the columns of the tables that Read returns.
func (n *ColumnReader) Columns() []encode.Column { return n.t.Columns }

// Read returns the columns of a group. The table is valid until the next call.
func (n *ColumnReader) Read(group int) (*encode.Table, error) {
	n.t.Reset()
	if err := n.AppendTo(n.t, group); err != nil {
		return nil, err
	}
	return n.t, nil
}

// AppendTo appends the columns of a group to t, a table of Columns. After an error t holds part of
// the group.
func (n *ColumnReader) AppendTo(t *encode.Table, group int) error {
	if err := n.append(t, group); err != nil {
		return n.fail(fmt.Errorf("row group %d: %w", group, err))
	}
	return nil
}

func (n *ColumnReader) fail(err error) error {
	return &fault.FileError{Op: "read", Path: n.name, Err: err}
}

// append is AppendTo without the name of the file in errors.
func (n *ColumnReader) append(t *encode.Table, group int) error {
	want, err := n.r.Rows(group)
	if err != nil {
		return err
	}
	for i, col := range n.columns {
		rows := 0
		colfile.Reserve(t, i, want)
		err := n.r.Scan(group, col, func(v colfile.Cells) {
			rows += v.Rows
			colfile.AppendCells(t, i, v)
		})
		if err == nil && rows != want {
			err = fault.Corrupt("%d rows, want %d", rows, want)
		}
		if err != nil {
			return fmt.Errorf("column %s: %w", t.Columns[i].Name, err)
		}
	}
	t.Rows += want
	return nil
}
