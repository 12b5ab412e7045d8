package convert

import (
	"context"
	"fmt"
	"path"
	"runtime"
	"strings"

	"selfplay/datasets"
	"selfplay/datasets/output"
	"selfplay/datasets/record"
	"selfplay/encode"
	"selfplay/internal/goroutine"
)

// Files writes one file for each shard, and the files that describe them. It converts as
// many shards at once as there are processors.
func (v *Conversion) Files(ctx context.Context, o *output.Output) ([]*output.File, error) {
	files := make([]*output.File, len(v.Shards))
	g, ctx := goroutine.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i, c := range v.Shards {
		g.Go(func() (err error) {
			if files[i], err = v.file(ctx, o, c); err != nil {
				return &datasets.ShardError{Op: "convert", Shard: c.Shard, Err: err}
			}
			if v.Done != nil {
				v.Done(c.Shard)
			}
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	return v.describe(o, files)
}

// file converts a shard.
func (v *Conversion) file(ctx context.Context, o *output.Output, c *record.Commit) (*output.File, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	name := path.Base(c.Files[record.PositionsFile].Name)
	f, err := o.Create(strings.TrimSuffix(name, path.Ext(name))+v.Form.Ext, c.Split, v.Form.Index)
	if err != nil {
		return nil, err
	}
	if v.Games != nil {
		f.Rows = c.Games
		return f, f.Finish(v.writeGames(ctx, f, c))
	}
	if f.Rows, err = v.rows(ctx, c); err != nil {
		return f, f.Finish(err)
	}
	return f, f.Finish(v.writeShard(ctx, f, o.Dir(), c))
}

// writeShard writes the rows of one shard.
func (v *Conversion) writeShard(ctx context.Context, f *output.File, temp string, c *record.Commit) error {
	s := v.Spec
	s.Rows, s.Temp = f.Rows, temp
	s.More = []encode.KeyValue{
		{Key: "selfplay.shard", Value: fmt.Sprint(c.Shard)},
		{Key: "selfplay.split", Value: c.Split},
		{Key: "selfplay.first_game", Value: fmt.Sprint(c.FirstGame)},
		{Key: "selfplay.games", Value: fmt.Sprint(c.Games)},
	}
	w, err := v.Form.New(f, s)
	if err != nil {
		return err
	}
	counter := v.Counter.Shard(c)
	for t, err := range v.tables(c) {
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
