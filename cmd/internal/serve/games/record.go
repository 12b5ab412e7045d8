package games

import (
	"fmt"
	"slices"
	"sync"

	"selfplay/cmd/internal/serve/catalog"
	"selfplay/cmd/internal/serve/web"
	"selfplay/datasets"
	"selfplay/engine"
)

// recent keeps the games that were asked for last: a reader steps through a game ply by ply, and
// each read of a shard checks its sum.
type recent struct {
	mu   sync.Mutex
	list []recentGame // the one used last at the end
}

// recentGame is a game of a games file with a SHA-256.
type recentGame struct {
	file   string
	record *engine.Record
}

// maxRecent is the number of games that are kept.
const maxRecent = 32

// Record returns a game of a dataset, and its shard. The caller must not change them. The error is
// web.NotFound for a game that is not committed; see also catalog.Dataset.ReadShard.
func (g *Games) Record(d *catalog.Dataset, game uint64) (*engine.Record, *datasets.Commit, error) {
	ds, err := d.Data()
	if err != nil {
		return nil, nil, err
	}
	commits, err := d.Commits()
	if err != nil {
		return nil, nil, err
	}
	i := slices.IndexFunc(commits, func(c *datasets.Commit) bool { return game >= c.FirstGame && game-c.FirstGame < c.Games })
	if i < 0 {
		return nil, nil, web.NotFound("no game %d in dataset %s", game, d.Name)
	}
	var r *engine.Record
	c, err := d.ReadShard(commits[i], func(c *datasets.Commit) (err error) { r, err = g.read(ds, c, game); return err })
	return r, c, err
}

// read returns a game of a shard.
func (g *Games) read(ds *datasets.Dataset, c *datasets.Commit, game uint64) (*engine.Record, error) {
	file := c.Files[datasets.GamesFile].SHA256
	if r := g.records.find(file, game); r != nil {
		return r, nil
	}
	r := new(engine.Record)
	if err := ds.Game(c, int(game-c.FirstGame), r); err != nil {
		return nil, err
	}
	if r.Game != game {
		return nil, fmt.Errorf("%w: game %d stands in place of game %d", datasets.ErrCorrupt, r.Game, game)
	}
	g.records.add(file, r)
	return r, nil
}

func (c *recent) find(file string, game uint64) *engine.Record {
	c.mu.Lock()
	defer c.mu.Unlock()
	i := slices.IndexFunc(c.list, func(k recentGame) bool { return k.file == file && k.record.Game == game })
	if i < 0 {
		return nil
	}
	k := c.list[i]
	c.list = append(slices.Delete(c.list, i, i+1), k)
	return k.record
}

func (c *recent) add(file string, r *engine.Record) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.list) == maxRecent {
		c.list = slices.Delete(c.list, 0, 1)
	}
	c.list = append(c.list, recentGame{file, r})
}
