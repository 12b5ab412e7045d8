package convert

import (
	"context"
	"fmt"
	"io"
	"path"
	"runtime"
	"strings"

	"selfplay/datasets"
	"selfplay/datasets/movetext"
	"selfplay/datasets/output"
	"selfplay/datasets/plan"
	"selfplay/datasets/query"
	"selfplay/datasets/record"
	"selfplay/datasets/scan"
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
			files[i], err = v.file(ctx, o, p)
			if err != nil {
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
		{Key: "selfplay.first_game", Value: fmt.Sprint(p.Commit.FirstGame)},
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

// Stream writes the rows or games of all parts to w, in order, and games in the order of their numbers. The
// form must be a stream.
func (v *Conversion) Stream(ctx context.Context, w io.Writer) error {
	if v.Games == nil {
		return v.streamRows(ctx, w)
	}
	for _, parts := range byShard(v.Parts) {
		if _, err := v.writeGames(ctx, w, parts...); err != nil {
			return &datasets.ShardError{Op: "convert", Shard: parts[0].Shard, Err: err}
		}
	}
	return nil
}

func (v *Conversion) streamRows(ctx context.Context, out io.Writer) error {
	w, err := v.Form.New(out, v.Spec)
	if err != nil {
		return err
	}
	for t, err := range scan.TablesOf(ctx, v.Parts, v.readOnce, &v.Counter) {
		if err != nil {
			return err
		}
		if err := w.Write(t); err != nil {
			return err
		}
	}
	return w.Close()
}

// writeGames writes the games of parts of a shard that match, and returns their number.
func (v *Conversion) writeGames(ctx context.Context, out io.Writer, parts ...*record.Part) (written uint64, err error) {
	w, err := v.Games.New(out, movetext.Source{Game: v.Shape.Game, Variant: v.Shape.Variant, Event: v.Dataset.About().Title})
	if err != nil {
		return 0, err
	}
	if !v.Query.MayMatch(parts[0]) { // all parts are of one shard
		for _, p := range parts {
			v.Counter.Add(p.Games, p.Commit.Plies()*p.Games/p.Commit.Games)
		}
		return 0, nil
	}
	matches := v.Query.Games()
	for r, err := range v.Dataset.Games(parts...) {
		if err == nil && ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		match := false
		if err == nil {
			match, err = matches(r)
		}
		if match && err == nil {
			written++
			err = w.Write(r)
		}
		if err != nil {
			return written, err
		}
		v.Counter.Add(1, uint64(len(r.Actions)))
	}
	return written, nil
}

// byShard groups parts that follow each other and are of the same shard.
func byShard(parts []*record.Part) (list [][]*record.Part) {
	for i, p := range parts {
		if i > 0 && p.Shard == parts[i-1].Shard {
			list[len(list)-1] = append(list[len(list)-1], p)
			continue
		}
		list = append(list, []*record.Part{p})
	}
	return list
}
