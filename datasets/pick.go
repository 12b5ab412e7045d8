package datasets

import (
	"fmt"
	"iter"
	"slices"

	"selfplay/datasets/colfile"
	"selfplay/datasets/internal/fault"
	"selfplay/encode"
)

// Pick yields chosen rows of the positions of a shard, in order, in one table per row
// group.
//
// For each row group, pick gets a table of the named columns, which must be scalar, and
// returns the wanted rows in ascending order. If it returns none, no other column of the
// group is decoded and nothing is yielded. Otherwise only the pages are decoded that hold
// these rows, as far as the format allows. Both tables are valid until the next iteration.
// An error ends the sequence. Pick panics if a name is not a column.
func (ds *Dataset) Pick(c *Commit, names []string, pick func(*encode.Table) []int) iter.Seq2[*encode.Table, error] {
	return func(yield func(*encode.Table, error) bool) {
		r, err := ds.openTable(c, PositionsFile)
		if err != nil {
			yield(nil, err)
			return
		}
		defer r.Close()
		p := newPicker(r, names)
		for g := range r.Groups() {
			err := p.pick(g, pick)
			if err != nil {
				yield(nil, &FileError{Op: "read", Path: c.Files[PositionsFile].Name, Err: err})
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
	r       *table
	columns []int         // the named columns, as indexes of the file
	named   *encode.Table // the named columns of a row group
	picked  *encode.Table // the wanted rows of a row group
}

func newPicker(r *table, names []string) *picker {
	p := &picker{r: r, picked: encode.NewTable(r.spec.Columns)}
	var columns []encode.Column
	for col, c := range r.spec.Columns {
		if slices.Contains(names, c.Name) {
			p.columns, columns = append(p.columns, col), append(columns, c)
		}
	}
	if len(columns) != len(names) {
		panic(fmt.Sprintf("datasets: pick by columns %q of %q", names, columnNames(r.spec.Columns)))
	}
	p.named = encode.NewTable(columns)
	return p
}

// pick sets picked to the rows of a group that the function chooses.
func (p *picker) pick(group int, pick func(*encode.Table) []int) error {
	p.picked.Reset()
	if err := p.readNamed(group); err != nil {
		return fmt.Errorf("row group %d: %w", group, err)
	}
	rows := pick(p.named)
	if len(rows) == 0 {
		return nil
	}
	return colfile.ReadRows(p.r, group, rows, p.picked)
}

// readNamed reads the named columns of a group.
func (p *picker) readNamed(group int) (err error) {
	p.named.Reset()
	if p.named.Rows, err = p.r.Rows(group); err != nil {
		return err
	}
	for i, col := range p.columns {
		err := p.r.Scan(group, col, func(v colfile.Cells) { colfile.AppendCells(p.named, i, v) })
		want := p.named.Rows * p.named.Columns[i].Kind.Size()
		if got := len(p.named.Data[i]); err == nil && got != want {
			err = fault.Corrupt("%d bytes of values, want %d", got, want)
		}
		if err != nil {
			return fmt.Errorf("column %s: %w", p.named.Columns[i].Name, err)
		}
	}
	return nil
}
