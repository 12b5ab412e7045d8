package catalog

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/jellydator/ttlcache/v3"

	"selfplay/datasets"
	"selfplay/datasets/gameindex"
	"selfplay/datasets/record"
	"selfplay/datasets/rows"
	"selfplay/engine"
	"selfplay/internal/goroutine"
)

// Games holds the indexes of datasets. Several goroutines may use it.
type Games struct {
	catalog *Catalog
	cache   string // folder of the index files
	log     *slog.Logger

	mu      sync.Mutex
	open    map[*Dataset]*indexed
	updates context.Context // of the updates of indexes; nil before the first one
	stop    context.CancelFunc

	records *ttlcache.Cache[recordKey, *engine.Record] // that were asked for last
}

// NewGames returns the games of the datasets of a catalog. It keeps indexes in the folder cache.
func NewGames(c *Catalog, cache string, log *slog.Logger) *Games {
	records := ttlcache.New(ttlcache.WithCapacity[recordKey, *engine.Record](maxRecent))
	return &Games{catalog: c, cache: cache, log: log, records: records}
}

// indexed is the index of a dataset.
type indexed struct {
	loading  lastRead[*gameindex.Index]
	index    *gameindex.Index // nil until it is loaded
	updating bool
	updated  time.Time
	err      error // of the last update
	unsaved  bool  // the index could not be saved, which was logged
}

// freshIndex is how long an index counts as up to date.
const freshIndex = 2 * time.Second

// How long requests wait for an index: until it is loaded, and when it is new. Small datasets are
// indexed by then.
const (
	loadWait  = 5 * time.Second
	firstWait = 500 * time.Millisecond
)

// Index returns the index of a dataset, and starts to bring it up to date if that was long ago. Its
// Status says how far it is. The error has status 503 while the index is loaded for long.
func (g *Games) Index(d *Dataset) (*gameindex.Index, error) {
	x, done, err := g.find(d)
	if err != nil {
		return nil, err
	}
	if done != nil {
		select {
		case <-done:
		case <-time.After(firstWait):
		}
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	return x.index, x.err
}

// find returns the index, and a channel that is closed when the update that it has started ends.
func (g *Games) find(d *Dataset) (*indexed, chan struct{}, error) {
	x := g.entry(d)
	index, err := x.loading.once(loadWait, func() (*gameindex.Index, error) { return gameindex.Open(g.catalog.games, d.Dir, g.cache) })
	if errors.Is(err, errSlow) {
		err = TryAgain("the index of dataset %s is being loaded", d.Name)
	}
	if err != nil {
		return nil, nil, err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	x.index = index
	if x.updating || time.Since(x.updated) < freshIndex {
		return x, nil, nil
	}
	x.updating = true
	done := make(chan struct{})
	ctx := g.updates
	goroutine.New().Go(func() error {
		defer close(done)
		g.update(ctx, d, x)
		return nil
	})
	return x, done, nil
}

// entry returns what is known of the index of a dataset. It forgets the indexes of datasets that
// are gone or replaced.
func (g *Games) entry(d *Dataset) *indexed {
	g.mu.Lock()
	defer g.mu.Unlock()
	if x := g.open[d]; x != nil {
		return x
	}
	if g.open == nil {
		g.open = map[*Dataset]*indexed{}
		g.updates, g.stop = context.WithCancel(context.Background())
	}
	maps.DeleteFunc(g.open, func(d *Dataset, _ *indexed) bool { return !g.catalog.has(d) })
	x := new(indexed)
	g.open[d] = x
	return x
}

// update brings an index up to date. If another dataset has taken the place, the next request
// opens that one.
func (g *Games) update(ctx context.Context, d *Dataset, x *indexed) {
	err := goroutine.Catch(func() error { return x.index.Update(ctx) })
	g.mu.Lock()
	defer g.mu.Unlock()
	x.updating, x.updated, x.err = false, time.Now(), err
	g.logSaving(d, x)
	if errors.Is(err, gameindex.ErrReplaced) && g.open[d] == x {
		delete(g.open, d)
	}
}

// logSaving logs that an index could not be saved: once, until it could.
func (g *Games) logSaving(d *Dataset, x *indexed) {
	err := x.index.Status().Saving
	if err != nil && !x.unsaved {
		g.log.Warn("save index: the next start reads the games again", "dataset", d.Name, "error", err)
	}
	x.unsaved = err != nil
}

// Close ends the updates and saves the indexes. It is called once, after the last request.
func (g *Games) Close() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.stop != nil {
		g.stop()
	}
	for d, x := range g.open {
		if x.index == nil {
			continue
		}
		if err := x.index.Close(); err != nil && !x.unsaved {
			g.log.Warn("save index", "dataset", d.Name, "error", err)
		}
	}
}

// recordKey names a game: its number, and the sum of the record of its shard.
type recordKey struct {
	sum  string
	game uint64
}

// maxRecent is the number of games that are kept: a reader steps through a game ply by ply, and each
// read of a shard checks its sum.
const maxRecent = 32

// Record returns a game of a dataset, and its shard. The caller must not change them. The error is
// NotFound for a game that is not committed; see also Dataset.ReadShard.
func (g *Games) Record(d *Dataset, game uint64) (*engine.Record, *record.Commit, error) {
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
		return nil, nil, NotFound("no game %d in dataset %s", game, d.Name)
	}
	var r *engine.Record
	c, err := d.ReadShard(commits[i], func(c *record.Commit) (err error) { r, err = g.read(ds, c, game); return err })
	return r, c, err
}

// Has reports whether a game of a dataset is committed.
func (g *Games) Has(d *Dataset, game uint64) bool {
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

// Position is a position of a game of a dataset.
type Position struct {
	Dataset *Dataset
	Shape   *rows.Shape
	Record  *engine.Record
	Ply     int // plies before the position
}

// Position returns the position with a name: DATASET:GAME@PLY, or DATASET:GAME for the last one.
// The error is one for clients.
func (g *Games) Position(name string) (p Position, err error) {
	at := strings.LastIndexByte(name, ':')
	if at < 0 {
		return p, BadRequest("position %.100q: want DATASET:GAME@PLY", name)
	}
	gameText, plyText, hasPly := strings.Cut(name[at+1:], "@")
	game, err := strconv.ParseUint(gameText, 10, 63)
	if err == nil && hasPly {
		p.Ply, err = strconv.Atoi(plyText)
	}
	if err != nil || p.Ply < 0 {
		return p, BadRequest("position %.100q: want DATASET:GAME@PLY with numbers", name)
	}
	if p.Dataset, err = g.catalog.Find(name[:at]); err != nil {
		return p, err
	}
	if p.Shape, err = p.Dataset.Shape(); err != nil {
		return p, err
	}
	if p.Record, _, err = g.Record(p.Dataset, game); err != nil {
		return p, err
	}
	plies := len(p.Record.Actions)
	if !hasPly {
		p.Ply = plies
	}
	if p.Ply > plies {
		return p, NotFound("no ply %d in game %d: it has %d", p.Ply, game, plies)
	}
	return p, nil
}
