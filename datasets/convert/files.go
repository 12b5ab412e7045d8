package convert

import (
	"context"
	"fmt"
	"path"
	"runtime"
	"strings"

	"selfplay/datasets"
	"selfplay/datasets/output"
	"selfplay/datasets/plan"
	"selfplay/datasets/query"
	"selfplay/datasets/record"
	"selfplay/encode"
	"selfplay/internal/goroutine"
)

// Files writes one file for each part of a shard, and the files that describe them. It converts as
// many at once as there are processors.
func (v *Conversion) Files(ctx context.Context, o *output.Output) ([]*output.File, error) {
	files := make([]*output.File, len(v.Parts))
	g, ctx := goroutine.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i, p := range v.Parts {
		g.Go(func() (err error) {
			if files[i], err = v.file(ctx, o, p); err != nil {
				return &datasets.ShardError{Op: "convert", Shard: p.Shard, Err: err}
			}
			if v.Done != nil {
				v.Done(p.Shard)
			}
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	return v.describe(o, files)
}

// file converts a part.
func (v *Conversion) file(ctx context.Context, o *output.Output, p *record.Part) (*output.File, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	name := path.Base(p.Files[plan.PositionsFile].Name)
	f, err := o.Create(strings.TrimSuffix(name, path.Ext(name))+v.Form.Ext, p.Split, v.Form.Index)
	if err != nil {
		return nil, err
	}
	if v.Games != nil {
		f.Rows, err = v.writeGames(ctx, f, p)
		return f, f.Finish(err)
	}
	r, err := v.Query.Rows(p)
	if err != nil {
		return f, f.Finish(err)
	}
	defer r.Close()
	f.Rows, err = v.count(ctx, r)
	if err == nil {
		err = v.writePart(ctx, f, o.Dir(), r)
	}
	return f, f.Finish(err)
}

// writePart writes the rows of one part.
func (v *Conversion) writePart(ctx context.Context, f *output.File, temp string, r *query.Rows) error {
	p := r.Of
	s := v.Spec
	s.Rows, s.Temp = f.Rows, temp
	s.More = []encode.KeyValue{
		{Key: "selfplay.shard", Value: fmt.Sprint(p.Shard)},
		{Key: "selfplay.split", Value: p.Split},
		{Key: "selfplay.first_game", Value: fmt.Sprint(p.FirstGame)},
		{Key: "selfplay.games", Value: fmt.Sprint(p.Games)},
	}
	w, err := v.Form.New(f, s)
	if err != nil {
		return err
	}
	counter := v.Counter.Part(p)
	for t, err := range v.tables(r) {
		switch {
		case err != nil:
			return err
		case ctx.Err() != nil:
			return context.Cause(ctx)
		}
		if err := w.Write(t); err != nil {
			return err
		}
		counter.Rows(t)
	}
	counter.End()
	return w.Close()
}
