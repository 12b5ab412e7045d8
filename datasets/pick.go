package datasets

import (
	"fmt"
	"iter"
	"slices"

	"selfplay/datasets/colfile"
	"selfplay/datasets/internal/fault"
	"selfplay/encode"
)

// Pick yields rows of the positions of a shard, in order. pick sees one row group after
// the other, with the scalar columns of these names alone, and returns the rows that are
// wanted, ascending. Of a group without any nothing else is decoded and no table comes.
// Both tables are valid until the next ones. An error ends the sequence.
func (ds *Dataset) Pick(c *Commit, names []string, pick func(*encode.Table) []int) iter.Seq2[*encode.Table, error] {
	return func(yield func(*encode.Table, error) bool) {
		r, err := ds.openTable(c, positionsFile)
		if err != nil {
			yield(nil, err)
			return
		}
		defer r.Close()
		p := newPicker(r, names)
		for g := range r.Groups() {
			err := p.pick(g, pick)
			if err != nil {
				yield(nil, &FileError{Op: "read", Path: c.Files[positionsFile].Name, Err: err})
				return
			}
			if p.picked.Rows > 0 && !yield(p.picked, nil) {
				return
			}
		}
	}
}

// picker holds the tables of one Pick.
type picker struct {
	r                  *table
	cols               []int // of the file, which seen has
	seen, read, picked *encode.Table
}

func newPicker(r *table, names []string) *picker {
	p := &picker{r: r, read: encode.NewTable(r.spec.Columns), picked: encode.NewTable(r.spec.Columns)}
	var columns []encode.Column
	for col, c := range r.spec.Columns {
		if slices.Contains(names, c.Name) {
			p.cols, columns = append(p.cols, col), append(columns, c)
		}
	}
	if len(columns) != len(names) {
		panic(fmt.Sprintf("datasets: pick by columns %q of %q", names, columnNames(r.spec.Columns)))
	}
	p.seen = encode.NewTable(columns)
	return p
}

// pick sets picked to the rows of a group that pick returns.
func (p *picker) pick(group int, pick func(*encode.Table) []int) error {
	p.seen.Reset()
	p.picked.Reset()
	var err error
	if p.seen.Rows, err = p.r.Rows(group); err != nil {
		return fmt.Errorf("row group %d: %w", group, err)
	}
	for i, col := range p.cols {
		err := p.r.Scan(group, col, func(v colfile.Cells) { colfile.AppendCells(p.seen, i, v) })
		if err == nil && len(p.seen.Data[i]) != p.seen.Rows*p.seen.Columns[i].Kind.Size() {
			err = fault.Corrupt("rows are missing or too many")
		}
		if err != nil {
			return fmt.Errorf("row group %d: column %s: %w", group, p.seen.Columns[i].Name, err)
		}
	}
	rows := pick(p.seen)
	if len(rows) == 0 {
		return nil
	}
	p.read.Reset()
	if err := colfile.ReadGroup(p.r, group, p.read); err != nil {
		return err
	}
	for len(rows) > 0 { // runs of neighbours at once
		n := 1
		for n < len(rows) && rows[n] == rows[0]+n {
			n++
		}
		colfile.AppendRows(p.picked, p.read, rows[0], rows[0]+n)
		rows = rows[n:]
	}
	return nil
}
