// Package games answers questions about the games of the datasets of a catalog, for the pages and
// the API of the server alike.
//
//	games.go   Games: indexes of games, kept up to date in the background
//	record.go  single games
//	query.go   Query: filters, order and page, as parameters of a URL
//	filter.go  queries as filters of an index
//	list.go    pages of games, histograms, next moves, and games with a position or a material
//	ply.go     positions of games, and the rows of their decisions
package games

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"sync"
	"time"

	"github.com/jellydator/ttlcache/v3"

	"selfplay/cmd/internal/serve/catalog"
	"selfplay/cmd/internal/serve/lastread"
	"selfplay/cmd/internal/serve/web"
	"selfplay/datasets/gameindex"
	"selfplay/engine"
	"selfplay/internal/goroutine"
)

// Games holds the indexes of datasets. Several goroutines may use it.
type Games struct {
	catalog *catalog.Catalog
	cache   string // folder of the index files
	log     *slog.Logger

	mu      sync.Mutex
	open    map[*catalog.Dataset]*indexed
	updates context.Context // of the updates of indexes; nil before the first one
	stop    context.CancelFunc

	records *ttlcache.Cache[recordKey, *engine.Record] // that were asked for last
}

// New returns the games of the datasets of a catalog. It keeps indexes in the folder cache.
func New(c *catalog.Catalog, cache string, log *slog.Logger) *Games {
	records := ttlcache.New(ttlcache.WithCapacity[recordKey, *engine.Record](maxRecent))
	return &Games{catalog: c, cache: cache, log: log, records: records}
}

// indexed is the index of a dataset.
type indexed struct {
	loading  lastread.Value[*gameindex.Index]
	index    *gameindex.Index // nil until it is loaded
	updating bool
	updated  time.Time
	err      error // of the last update
	unsaved  bool  // the index could not be saved, which was logged
}

// fresh is how long an index counts as up to date.
const fresh = 2 * time.Second

// How long requests wait for an index: until it is loaded, and when it is new. Small datasets are
// indexed by then.
const (
	loadWait  = 5 * time.Second
	firstWait = 500 * time.Millisecond
)

// Index returns the index of a dataset, and starts to bring it up to date if that was long ago. Its
// Status says how far it is. The error has status 503 while the index is loaded for long.
func (g *Games) Index(d *catalog.Dataset) (*gameindex.Index, error) {
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
func (g *Games) find(d *catalog.Dataset) (*indexed, chan struct{}, error) {
	x := g.entry(d)
	index, err := x.loading.Once(loadWait, func() (*gameindex.Index, error) { return gameindex.Open(g.catalog.Known(), d.Dir, g.cache) })
	if errors.Is(err, lastread.ErrSlow) {
		err = web.TryAgain("the index of dataset %s is being loaded", d.Name)
	}
	if err != nil {
		return nil, nil, err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	x.index = index
	if x.updating || time.Since(x.updated) < fresh {
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
func (g *Games) entry(d *catalog.Dataset) *indexed {
	g.mu.Lock()
	defer g.mu.Unlock()
	if x := g.open[d]; x != nil {
		return x
	}
	if g.open == nil {
		g.open = map[*catalog.Dataset]*indexed{}
		g.updates, g.stop = context.WithCancel(context.Background())
	}
	maps.DeleteFunc(g.open, func(d *catalog.Dataset, _ *indexed) bool { return !g.catalog.Has(d) })
	x := new(indexed)
	g.open[d] = x
	return x
}

// update brings an index up to date. If another dataset has taken the place, the next request
// opens that one.
func (g *Games) update(ctx context.Context, d *catalog.Dataset, x *indexed) {
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
func (g *Games) logSaving(d *catalog.Dataset, x *indexed) {
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
