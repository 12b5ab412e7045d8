package export

import (
	"context"
	"fmt"
	"path"
	"runtime"
	"strings"

	"github.com/urfave/cli/v2"
	"golang.org/x/sync/errgroup"

	"selfplay/cmd/internal/progress"
	"selfplay/datasets"
	"selfplay/datasets/disk"
	"selfplay/encode"
)

// make makes the folder. No byte depends on how many shards are converted at once.
func (v *conversion) make(c *cli.Context) error {
	d, err := draftOf(v.dir, v.out)
	if err != nil {
		return err
	}
	p, stop := v.follow(c)
	files, err := v.files(c.Context, d, p)
	stop()
	return v.publish(c, d, files, err)
}

// follow shows how far the conversion is until stop is called.
func (v *conversion) follow(c *cli.Context) (p *progress.Progress, stop func()) {
	return v.source.follow(c, "converting", v.shards, "game", v.ds.Plan().Game, "from", v.dir, "format", v.form.Name, "out", v.out)
}

// files writes all files of the folder, their sums last.
func (v *conversion) files(ctx context.Context, d *disk.Pending, p *progress.Progress) ([]*outFile, error) {
	files := make([]*outFile, len(v.shards))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i, commit := range v.shards {
		g.Go(func() (err error) {
			files[i], err = v.file(ctx, d, commit)
			if err != nil {
				return &datasets.ShardError{Op: "convert", Shard: commit.Shard, Err: err}
			}
			p.Notify(datasets.Event{Kind: datasets.EventCommitted, Shard: commit.Shard})
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	return v.finishFolder(d, files)
}

// file converts a shard.
func (v *conversion) file(ctx context.Context, d *disk.Pending, c *datasets.Commit) (*outFile, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	name := path.Base(c.Files[0].Name)
	f, err := createOut(d, strings.TrimSuffix(name, path.Ext(name))+v.form.Ext, c.Split, v.form.Index)
	if err != nil {
		return nil, err
	}
	return f, f.finish(v.shard(ctx, f, d.Dir(), c))
}

// shard writes the rows of one shard, or its games.
func (v *conversion) shard(ctx context.Context, f *outFile, temp string, c *datasets.Commit) error {
	if v.games != nil {
		f.rows = c.Games
		return v.writeGames(ctx, f, []*datasets.Commit{c})
	}
	s := v.spec
	s.Rows, s.Temp = c.Rows, temp
	s.More = []encode.KeyValue{
		{Key: "selfplay.shard", Value: fmt.Sprint(c.Shard)},
		{Key: "selfplay.split", Value: c.Split},
		{Key: "selfplay.first_game", Value: fmt.Sprint(c.FirstGame)},
		{Key: "selfplay.games", Value: fmt.Sprint(c.Games)},
	}
	f.rows = c.Rows
	w, err := v.form.New(f, s)
	if err != nil {
		return err
	}
	at := v.source.shard(c)
	for t, err := range v.ds.Positions(c) {
		switch {
		case err != nil:
			return err
		case ctx.Err() != nil:
			return context.Cause(ctx)
		}
		if err := w.Write(t); err != nil {
			return err
		}
		at.rows(t)
	}
	at.end()
	return w.Close()
}
