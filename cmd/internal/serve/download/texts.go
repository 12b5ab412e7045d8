package download

import (
	"bytes"
	"cmp"
	"context"
	"slices"

	"selfplay/cmd/internal/serve/web"
	"selfplay/datasets"
	"selfplay/datasets/gameindex"
	"selfplay/datasets/record"
)

// writeTexts writes games as text, in the order of their numbers.
func (d *Downloads) writeTexts(ctx context.Context, q *request, found *matching, out *bytes.Buffer) error {
	commits, err := q.dataset.Commits()
	if err != nil {
		return err
	}
	list := slices.Clone(found.games)
	slices.SortFunc(list, func(a, b gameindex.Game) int { return cmp.Compare(a.Game, b.Game) })
	for len(list) > 0 {
		n := slices.IndexFunc(list, func(g gameindex.Game) bool { return g.Shard != list[0].Shard })
		if n < 0 {
			n = len(list)
		}
		if err := d.writeShard(ctx, q, commits, list[:n], out); err != nil {
			return err
		}
		list = list[n:]
	}
	return nil
}

// writeShard writes games of a shard.
func (d *Downloads) writeShard(ctx context.Context, q *request, commits []*record.Commit, list []gameindex.Game, out *bytes.Buffer) error {
	i := slices.IndexFunc(commits, func(c *record.Commit) bool { return c.Shard == list[0].Shard })
	if i < 0 {
		return web.TryAgain("shard %d has been made again since it was indexed", list[0].Shard)
	}
	ds, err := q.dataset.Data()
	if err != nil {
		return err
	}
	begin := out.Len()
	_, err = q.dataset.ReadShard(commits[i], func(c *record.Commit) error {
		out.Truncate(begin) // of an attempt before
		return q.writeGames(ctx, ds, c, list, out)
	})
	return err
}

// writeGames writes the games of a list that a shard has.
func (q *request) writeGames(ctx context.Context, ds *datasets.Dataset, c *record.Commit, list []gameindex.Game, out *bytes.Buffer) error {
	w, err := q.format.newTexts(out, q.shape, ds.About().Title)
	if err != nil {
		return err
	}
	for r, err := range ds.Games(c.Parts()...) {
		if err == nil && ctx.Err() != nil {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
		if len(list) > 0 && r.Game == list[0].Game {
			list = list[1:]
			if err := w.Write(r); err != nil {
				return err
			}
		}
		if len(list) == 0 {
			return nil
		}
	}
	return nil
}
