// Package catalog knows the datasets that the server shows: those below the directories that it
// was started with. It reads only committed shards, and holds no file open.
//
//	catalog.go  Catalog: which datasets there are, by name
//	scan.go     looking for datasets in directories, and their names
//	dataset.go  Dataset: one dataset and its state
//	shard.go    records of shards, which a run may replace
//	file.go     files of a dataset with their SHA-256, and none beside them
//
// A name is the path of a dataset below the directory, with ~ in place of slashes, or the last
// element of the path if the directory itself is the dataset. It fits into a path of a URL.
// Everything in this package may be used by several goroutines.
package catalog

import (
	"errors"
	"io/fs"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"selfplay/cmd/internal/serve/web"
	"selfplay/datasets/disk"
	"selfplay/encode"
)

// How long the catalog believes that there are no new datasets: when it lists them, and when it is
// asked for one that it does not know. A scan that takes long is not repeated so soon.
const (
	rescanList = 5 * time.Second
	rescanMiss = 200 * time.Millisecond
	rescanRest = 20 // times the length of a scan
)

// Catalog is the list of datasets. It looks for new ones when it is asked.
type Catalog struct {
	games encode.Catalog
	dirs  []string
	log   *slog.Logger

	mu      sync.Mutex
	scanned time.Time
	took    time.Duration // the scan
	byDir   map[string]*Dataset
	byName  map[string]*Dataset
	owners  map[string]string // the directory of each name, those of removed datasets too
}

// Open returns the catalog of the datasets below directories. A URL of an object store is one
// dataset. The catalog may be empty: a run may create datasets later.
func Open(games encode.Catalog, dirs []string, log *slog.Logger) (*Catalog, error) {
	c := &Catalog{games: games, dirs: dirs, log: log, byDir: map[string]*Dataset{}, byName: map[string]*Dataset{}, owners: map[string]string{}}
	return c, c.scan()
}

// Known returns the games that the datasets may have.
func (c *Catalog) Known() encode.Catalog { return c.games }

// List returns the datasets, by name.
func (c *Catalog) List() []*Dataset {
	c.refresh(rescanList)
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.SortedFunc(maps.Values(c.byName), func(a, b *Dataset) int { return strings.Compare(a.Name, b.Name) })
}

// Find returns the dataset with a name: the one that is there now. The error is web.NotFound.
func (c *Catalog) Find(name string) (*Dataset, error) {
	if d := c.current(name); d != nil {
		return d, nil
	}
	c.refresh(rescanMiss)
	if d := c.find(name); d != nil {
		return d, nil
	}
	return nil, web.NotFound("no dataset %.100q: /api/datasets lists them", name)
}

// Has reports whether the catalog still has a dataset.
func (c *Catalog) Has(d *Dataset) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.byDir[d.Dir] == d
}

// current returns the dataset with a name, nil if none is known. It looks whether another one has
// taken the place.
func (c *Catalog) current(name string) *Dataset {
	d := c.find(name)
	if d == nil || disk.IsURL(d.Dir) {
		return d
	}
	plan, err := statPlan(d.Dir)
	switch {
	case err == nil && plan != d.plan:
		return c.replace(d, &Dataset{Name: d.Name, Dir: d.Dir, games: c.games, plan: plan})
	case errors.Is(err, fs.ErrNotExist):
		return c.replace(d, nil)
	}
	return d
}

// replace puts a dataset in the place of another one, unless that is gone. It returns the one that
// is there then, nil if there is none.
func (c *Catalog) replace(old, d *Dataset) *Dataset {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.byDir[old.Dir] != old {
		return c.byName[old.Name]
	}
	if d == nil {
		delete(c.byDir, old.Dir)
		delete(c.byName, old.Name)
		return nil
	}
	c.byDir[d.Dir], c.byName[d.Name] = d, d
	return d
}

func (c *Catalog) find(name string) *Dataset {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.byName[name]
}

// refresh looks for datasets if the last scan is older than that.
func (c *Catalog) refresh(age time.Duration) {
	c.mu.Lock()
	old := time.Since(c.scanned) >= max(age, rescanRest*c.took)
	if old {
		c.scanned = time.Now() // other requests need not wait for this scan
	}
	c.mu.Unlock()
	if !old {
		return
	}
	if err := c.scan(); err != nil {
		c.log.Error("look for datasets", "error", err)
	}
}
