package convert

import (
	"context"
	"io"

	"selfplay/datasets"
	"selfplay/datasets/movetext"
)

// writeGames writes the games of a shard.
func (v *Conversion) writeGames(ctx context.Context, out io.Writer, c *datasets.Commit) error {
	w, err := v.Games.New(out, movetext.Source{Game: v.Shape.Game, Variant: v.Shape.Variant, Event: v.Dataset.About().Title})
	if err != nil {
		return err
	}
	for r, err := range v.Dataset.Games(c) {
		if err == nil && ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		if err == nil {
			err = w.Write(r)
		}
		if err != nil {
			return err
		}
		v.Counter.Add(1, uint64(len(r.Actions)))
	}
	return nil
}
