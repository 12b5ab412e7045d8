package dedup

import (
	"context"

	"selfplay/datasets"
	"selfplay/datasets/rows"
	"selfplay/datasets/scan"
	"selfplay/encode"
	"selfplay/engine"
)

// RowFuncs returns a function that makes the rows of shape s, one for each goroutine. If
// the shape is Unique, it first reads all games of src in about memory bytes, and
// counts them in n.
func RowFuncs(ctx context.Context, s *rows.Shape, src *datasets.Source, memory int64, n *scan.Counter) (func() datasets.RowFunc, error) {
	if !s.Unique {
		return s.Rows(), nil
	}
	x, err := Find(ctx, s, src.All(), Size{Games: src.Games(), Rows: src.Plies()}, memory, n)
	if err != nil {
		return nil, err
	}
	return x.Rows(s), nil
}

// Rows returns a function that makes the rows of a Unique shape, one for each goroutine.
// A row that is not the first with its position counts as dropped by the last part of the
// filter.
func (x *Index) Rows(s *rows.Shape) func() datasets.RowFunc {
	all := *s
	all.Unique = false
	newRowFunc := all.Rows()
	return func() datasets.RowFunc {
		appendRows := newRowFunc()
		return func(r *engine.Record, t *encode.Table, dropped []uint64) error {
			from, last := t.Rows, len(dropped)-1
			if err := appendRows(r, t, dropped[:last]); err != nil {
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

// keepRows removes the rows of a table, beginning at row from, for which keep is false.
// It returns how many it removed.
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

// cellEnd returns the byte of a column at which the cells of the first n rows end.
func cellEnd(t *encode.Table, col int, c encode.Column, n int) int {
	switch {
	case c.Len != encode.Var:
		return n * max(c.Len, 1) * c.Kind.Size()
	case n == 0:
		return 0
	}
	return int(t.Ends[col][n-1]) * c.Kind.Size()
}
