// Package query chooses rows of a dataset by conditions on rows and their games, and adds texts to
// them. Conditions and texts come from the records of the games, so they do not depend on the
// layout, the perspective or the columns of the rows.
//
//	query.go   Query: which rows, with which columns
//	match.go   the rows of a part of a shard that match
//	texts.go   moves, sides, reasons and players as text
//	records.go the records of a part, beside its rows
package query

import (
	"context"
	"iter"

	"selfplay/datasets"
	"selfplay/datasets/colfile"
	"selfplay/datasets/record"
	"selfplay/datasets/rows"
	"selfplay/encode"
)

// Query says which rows of a dataset are read, and how. Several goroutines may use it.
type Query struct {
	Dataset *datasets.Dataset
	// Shape is that of the dataset. It is nil for a game that this program does not know; then Where
	// is nil and Text false.
	Shape *rows.Shape
	Where *encode.Where // nil: all rows
	Text  bool          // adds texts beside numbers
}

// Columns returns the columns of the tables.
func (q *Query) Columns() []encode.Column {
	columns := q.Dataset.Description().Columns
	if q.Text {
		columns = TextColumns(columns)
	}
	return columns
}

// Head returns the first n rows that match, or all if fewer do.
func (q *Query) Head(ctx context.Context, n int) (*encode.Table, error) {
	head := encode.NewTable(q.Columns())
	parts, err := q.Dataset.Parts()
	if err != nil {
		return nil, err
	}
	for _, p := range parts {
		for t, err := range q.Tables(p) {
			if err == nil && ctx.Err() != nil {
				err = context.Cause(ctx)
			}
			if err != nil {
				return nil, &datasets.ShardError{Op: "read", Shard: p.Shard, Err: err}
			}
			colfile.AppendRows(head, t, 0, min(t.Rows, n-head.Rows))
			if head.Rows == n {
				return head, nil
			}
		}
	}
	return head, nil
}

// Tables yields the rows of a part of a shard that match, in order. A table is valid until the next
// one. An error ends the sequence.
func (q *Query) Tables(p *record.Part) iter.Seq2[*encode.Table, error] {
	if q.Where == nil {
		return q.WithTexts(p, q.Dataset.Positions(p))
	}
	return func(yield func(*encode.Table, error) bool) {
		matching, err := q.Matching(p)
		if err != nil {
			yield(nil, err)
			return
		}
		q.WithTexts(p, q.Dataset.Pick(p, nil, matching.picker()))(yield)
	}
}
