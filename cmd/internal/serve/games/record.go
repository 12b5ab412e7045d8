package games

import (
	"fmt"
	"slices"

	"github.com/jellydator/ttlcache/v3"

	"selfplay/cmd/internal/serve/catalog"
	"selfplay/cmd/internal/serve/web"
	"selfplay/datasets"
	"selfplay/datasets/record"
	"selfplay/engine"
)

// recordKey names a game: its number, and the sum of the record of its shard.
type recordKey struct {
	sum  string
	game uint64
}

// maxRecent is the number of games that are kept: a reader steps through a game ply by ply, and each
// read of a shard checks its sum.
const maxRecent = 32

// Record returns a game of a dataset, and its shard. The caller must not change them. The error is
// web.NotFound for a game that is not committed; see also catalog.Dataset.ReadShard.
func (g *Games) Record(d *catalog.Dataset, game uint64) (*engine.Record, *record.Commit, error) {
	ds, err := d.Data()
	if err != nil {
		return nil, nil, err
	}
	commits, err := d.Commits()
	if err != nil {
		return nil, nil, err
	}
	i := shardOf(commits, game)
	if i < 0 {
		return nil, nil, web.NotFound("no game %d in dataset %s", game, d.Name)
	}
	var r *engine.Record
	c, err := d.ReadShard(commits[i], func(c *record.Commit) (err error) { r, err = g.read(ds, c, game); return err })
	return r, c, err
}

// Has reports whether a game of a dataset is committed.
func (g *Games) Has(d *catalog.Dataset, game uint64) bool {
	commits, err := d.Commits()
	return err == nil && shardOf(commits, game) >= 0
}

// shardOf returns the index of the shard of a game, -1 if there is none.
func shardOf(commits []*record.Commit, game uint64) int {
	return slices.IndexFunc(commits, func(c *record.Commit) bool { return game >= c.FirstGame && game-c.FirstGame < c.Games })
}

// read returns a game of a shard.
func (g *Games) read(ds *datasets.Dataset, c *record.Commit, game uint64) (*engine.Record, error) {
	key := recordKey{c.Sum, game}
	if item := g.records.Get(key); item != nil {
		return item.Value(), nil
	}
	r := new(engine.Record)
	if err := ds.Game(c, game, r); err != nil {
		return nil, err
	}
	if r.Game != game {
		return nil, fmt.Errorf("%w: game %d stands in place of game %d", datasets.ErrCorrupt, r.Game, game)
	}
	g.records.Set(key, r, ttlcache.NoTTL)
	return r, nil
}
