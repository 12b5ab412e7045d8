package download

import (
	"bytes"
	"context"
	"iter"
	"strconv"

	"selfplay/cmd/internal/serve/web"
	"selfplay/datasets"
	"selfplay/datasets/query"
	"selfplay/datasets/tablefile"
	"selfplay/encode"
	"selfplay/engine"
)

// game writes a game: its text, or a row for each of its plies, those that the filter of the dataset
// drops included.
func (d *Downloads) game(_ context.Context, q *request, out *bytes.Buffer) (string, error) {
	if err := q.Err(); err != nil {
		return "", err
	}
	number, err := strconv.ParseUint(q.PathValue("game"), 10, 64)
	if err != nil {
		return "", web.BadRequest("game %.40q: want its number", q.PathValue("game"))
	}
	r, _, err := d.Games.Record(q.dataset, number)
	if err != nil {
		return "", err
	}
	ds, err := q.dataset.Data()
	if err != nil {
		return "", err
	}
	name := "game-" + strconv.FormatUint(number, 10)
	if !q.format.texts {
		return name, q.writeRows(ds, r, out)
	}
	w, err := q.format.newTexts(out, q.shape, ds.About().Title)
	if err == nil {
		err = w.Write(r)
	}
	return name, err
}

// writeRows writes the rows of a game, with texts.
func (q *request) writeRows(ds *datasets.Dataset, r *engine.Record, out *bytes.Buffer) error {
	view := q.shape.View
	view.Filter = encode.Filter{}
	t := encode.NewTable(view.Columns())
	if err := encode.NewReplayer(q.shape.Game, q.shape.Variant, view).Append(r, t, nil); err != nil {
		return err
	}
	spec := tablefile.Spec{Shape: q.shape, Columns: query.TextColumns(t.Columns), Text: q.shape.HasText(), Filter: []string{}}
	for texts, err := range query.AddTexts(q.shape, t.Columns, one(r), one(t)) {
		if err != nil {
			return err
		}
		return q.format.writeTable(out, ds, spec, texts)
	}
	return nil
}

// one is the sequence of a single value.
func one[T any](v T) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) { yield(v, nil) }
}
