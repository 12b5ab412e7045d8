package export

import (
	"context"
	"io"

	"selfplay/cmd/internal/app"
	"selfplay/datasets"
	"selfplay/datasets/movetext"
)

// checkGames refuses what only forms of rows have.
func (v *conversion) checkGames() error {
	if v.spec.Text {
		return app.Usage("flag --boards: %s is made of games, not of rows", v.form.Name)
	}
	_, err := v.gameWriter(io.Discard)
	return err
}

// gameWriter returns a writer of games as texts.
func (v *conversion) gameWriter(out io.Writer) (*movetext.Writer, error) {
	k, err := find(v.ds.Plan())
	if err != nil {
		return nil, err
	}
	w, err := v.games.New(out, movetext.Source{Game: k.game, Variant: v.ds.Plan().Variant, Event: v.ds.About().Title})
	if err != nil {
		return nil, app.Usage("%v", err)
	}
	return w, nil
}

// writeGames writes the games of some shards.
func (v *conversion) writeGames(ctx context.Context, out io.Writer, shards []*datasets.Commit) error {
	w, err := v.gameWriter(out)
	if err != nil {
		return err
	}
	for _, c := range shards {
		for r, err := range v.ds.Games(c) {
			if err == nil && ctx.Err() != nil {
				err = context.Cause(ctx)
			}
			if err == nil {
				err = w.Write(r)
			}
			if err != nil {
				return &datasets.ShardError{Op: "convert", Shard: c.Shard, Err: err}
			}
			v.source.games.Add(1)
			v.source.plies.Add(uint64(len(r.Actions)))
		}
	}
	return nil
}
