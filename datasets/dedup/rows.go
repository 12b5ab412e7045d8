package dedup

import (
	"context"

	"selfplay/datasets"
	"selfplay/datasets/colfile"
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
	every := *s
	every.Unique = false
	newRowFunc := every.Rows()
	return func() datasets.RowFunc {
		appendRows := newRowFunc()
		var all *encode.Table // rows of a game
		var picked []int
		return func(r *engine.Record, t *encode.Table, dropped []uint64) error {
			if all == nil {
				all = encode.NewTable(t.Columns)
			}
			all.Reset()
			last := len(dropped) - 1
			if err := appendRows(r, all, dropped[:last]); err != nil {
				return err
			}
			isFirst, err := x.firsts(r.Game, all.Rows)
			if err != nil {
				return err
			}
			picked = picked[:0]
			for row := range all.Rows {
				if isFirst(row) {
					picked = append(picked, row)
				}
			}
			colfile.AppendPicked(t, all, picked)
			dropped[last] += uint64(all.Rows - len(picked))
			return nil
		}
	}
}
