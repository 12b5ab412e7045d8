package datasets

import (
	"fmt"
	"iter"

	"selfplay/datasets/colfile"
	"selfplay/datasets/internal/fault"
	"selfplay/datasets/plan"
	"selfplay/datasets/record"
	"selfplay/encode"
)

// Pick yields chosen rows of the positions of a part of a shard, in order, in one table per row
// group.
//
// For each row group, pick gets a table of the named columns, which must be scalar, and
// returns the wanted rows in ascending order. If it returns none, no other column of the
// group is decoded and nothing is yielded. Otherwise only the pages are decoded that hold
// these rows, as far as the format allows. Both tables are valid until the next iteration.
// An error ends the sequence. Pick panics if a name is not a column.
func (ds *Dataset) Pick(part *record.Part, names []string, pick func(*encode.Table) []int) iter.Seq2[*encode.Table, error] {
	return func(yield func(*encode.Table, error) bool) {
		r, err := ds.openTable(part, plan.PositionsFile)
		if err != nil {
			yield(nil, err)
			return
		}
		defer r.Close()
		p := newPicker(r, names)
		for g := range r.Groups() {
			err := p.pick(g, pick)
			if err != nil {
				yield(nil, &fault.FileError{Op: "read", Path: part.Files[plan.PositionsFile].Name, Err: err})
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
	named  *ColumnReader // of the named columns
	picked *encode.Table // the wanted rows of a row group
}

func newPicker(r *table, names []string) *picker {
	return &picker{named: newColumnReader(r, "", 0, names), picked: encode.NewTable(r.spec.Columns)}
}

// pick sets picked to the rows of a group that the function chooses.
func (p *picker) pick(group int, pick func(*encode.Table) []int) error {
	p.picked.Reset()
	p.named.t.Reset()
	if err := p.named.append(p.named.t, group); err != nil {
		return fmt.Errorf("row group %d: %w", group, err)
	}
	rows := pick(p.named.t)
	if len(rows) == 0 {
		return nil
	}
	return colfile.ReadRows(p.named.r, group, rows, p.picked)
}
