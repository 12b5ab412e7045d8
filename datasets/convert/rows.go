package convert

import (
	"context"
	"iter"

	"selfplay/datasets/query"
	"selfplay/datasets/record"
	"selfplay/encode"
)

// replayRows is the number of rows after which rows that are made again are written.
const replayRows = 8192

// readOnce is tables for callers that need no number of rows.
func (v *Conversion) readOnce(p *record.Part) iter.Seq2[*encode.Table, error] {
	return func(yield func(*encode.Table, error) bool) {
		r, err := v.Query.Rows(p)
		if err != nil {
			yield(nil, err)
			return
		}
		defer r.Close()
		v.tables(r)(yield)
	}
}

// tables yields the rows of a part: those of the dataset, or those that Replay makes of its
// games. A table is valid until the next one.
func (v *Conversion) tables(r *query.Rows) iter.Seq2[*encode.Table, error] {
	if v.Replay == nil {
		return r.Tables()
	}
	return r.WithTexts(v.replayed(r))
}

// replayed yields the rows that Replay makes of the games of a part.
func (v *Conversion) replayed(games *query.Rows) iter.Seq2[*encode.Table, error] {
	return func(yield func(*encode.Table, error) bool) {
		t := encode.NewTable(v.Replay.Columns())
		rows := encode.NewReplayer(v.Replay.Game, v.Replay.Variant, v.Replay.View)
		dropped := make([]uint64, len(v.Replay.Filter.Texts()))
		for r, err := range games.Games() {
			if err == nil {
				err = rows.Append(r, t, dropped)
			}
			if err != nil {
				yield(nil, err)
				return
			}
			if t.Rows >= replayRows {
				if !yield(t, nil) {
					return
				}
				t.Reset()
			}
		}
		if t.Rows > 0 {
			yield(t, nil)
		}
	}
}

// count returns the number of rows of a part that tables yields.
func (v *Conversion) count(ctx context.Context, of *query.Rows) (n uint64, err error) {
	if v.Replay == nil {
		return of.Count(), nil
	}
	counter := encode.NewReplayer(v.Replay.Game, v.Replay.Variant, v.Replay.View)
	for r, err := range of.Games() {
		if err == nil && ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		rows := 0
		if err == nil {
			rows, err = counter.Count(r)
		}
		if err != nil {
			return 0, err
		}
		n += uint64(rows)
	}
	return n, nil
}
