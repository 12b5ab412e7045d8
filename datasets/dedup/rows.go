package dedup

import (
	"selfplay/datasets"
	"selfplay/datasets/rows"
	"selfplay/encode"
	"selfplay/engine"
)

// Rows returns what makes the rows of a shape that is Unique, for each goroutine one.
// What is not the first of its position counts as dropped by the last part of the
// filter.
func (x *Index) Rows(s *rows.Shape) func() datasets.RowFunc {
	all := *s
	all.Unique = false
	next := all.Rows()
	return func() datasets.RowFunc {
		rows := next()
		return func(r *engine.Record, t *encode.Table, dropped []uint64) error {
			from, last := t.Rows, len(dropped)-1
			if err := rows(r, t, dropped[:last]); err != nil {
				return err
			}
			keep, err := x.firsts(r.Game, t.Rows-from)
			if err != nil {
				return err
			}
			dropped[last] += uint64(keepRows(t, from, keep))
			return nil
		}
	}
}

// keepRows takes out of the rows of a table from a row on those that are not to be
// kept, and returns how many these were.
func keepRows(t *encode.Table, from int, keep func(n int) bool) (dropped int) {
	to := from
	for row := from; row < t.Rows; row++ {
		if !keep(row - from) {
			continue
		}
		for col, c := range t.Columns {
			moveCell(t, col, c, row, to)
		}
		to++
	}
	dropped = t.Rows - to
	for col, c := range t.Columns {
		t.Data[col] = t.Data[col][:cellEnd(t, col, c, to)]
		if c.Len == encode.Var {
			t.Ends[col] = t.Ends[col][:to]
		}
	}
	t.Rows = to
	return dropped
}

// moveCell moves a cell to an earlier row.
func moveCell(t *encode.Table, col int, c encode.Column, row, to int) {
	if row == to {
		return
	}
	begin, end, at := cellEnd(t, col, c, row), cellEnd(t, col, c, row+1), cellEnd(t, col, c, to)
	copy(t.Data[col][at:], t.Data[col][begin:end])
	if c.Len == encode.Var {
		t.Ends[col][to] = int32((at + end - begin) / c.Kind.Size())
	}
}

// cellEnd returns where in a column the cells of the rows before one end.
func cellEnd(t *encode.Table, col int, c encode.Column, row int) int {
	switch {
	case c.Len != encode.Var:
		return row * max(c.Len, 1) * c.Kind.Size()
	case row == 0:
		return 0
	}
	return int(t.Ends[col][row-1]) * c.Kind.Size()
}
