package convert

import (
	"context"
	"io"

	"selfplay/datasets"
	"selfplay/datasets/movetext"
	"selfplay/datasets/record"
	"selfplay/datasets/scan"
)

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
