// Package catalog knows the datasets that the server shows: those below the directories that it
// was started with. It reads only committed shards, and holds no file open.
//
//	catalog.go  Catalog: which datasets there are, by name
//	walk.go     looking for datasets in a directory
//	dataset.go  Dataset: one dataset and its state
//	file.go     files of a dataset, and none beside them
//	sums.go     their SHA-256
//
// A name is the path of a dataset below the directory, with ~ in place of slashes, or the last
// element of the path if the directory itself is the dataset. It fits into a path of a URL.
// Everything in this package may be used by several goroutines.
package catalog

import (
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"selfplay/cmd/internal/serve/web"
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
	dirs []string
	log  *slog.Logger

	mu      sync.Mutex
	scanned time.Time
	took    time.Duration // the scan
	byDir   map[string]*Dataset
	byName  map[string]*Dataset
}

// Open returns the catalog of the datasets below directories. A URL of an object store is one
// dataset. The catalog may be empty: a run may create datasets later.
func Open(dirs []string, log *slog.Logger) (*Catalog, error) {
	c := &Catalog{dirs: dirs, log: log, byDir: map[string]*Dataset{}, byName: map[string]*Dataset{}}
	return c, c.scan()
}

// List returns the datasets, by name.
func (c *Catalog) List() []*Dataset {
	c.refresh(rescanList)
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.SortedFunc(maps.Values(c.byName), func(a, b *Dataset) int { return strings.Compare(a.Name, b.Name) })
}

// Find returns the dataset with a name. The error is web.NotFound.
func (c *Catalog) Find(name string) (*Dataset, error) {
	if d := c.find(name); d != nil {
		return d, nil
	}
	c.refresh(rescanMiss)
	if d := c.find(name); d != nil {
		return d, nil
	}
	return nil, web.NotFound("no dataset %.100q: /api/datasets lists them", name)
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

// scan looks for datasets. One that is there already stays the same, unless its plan was
// replaced.
func (c *Catalog) scan() error {
	begin := time.Now()
	var found []place
	for _, dir := range c.dirs {
		list, err := walk(dir)
		if err != nil {
			return fmt.Errorf("look for datasets: %w", err)
		}
		found = append(found, list...)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.scanned = time.Now()
	c.took = c.scanned.Sub(begin)
	names := map[string]*Dataset{}
	dirs := map[string]*Dataset{}
	for _, p := range found {
		if dirs[p.dir] != nil { // below two of the directories
			continue
		}
		d := c.byDir[p.dir]
		if d == nil || d.plan != p.plan {
			d = &Dataset{Dir: p.dir, plan: p.plan}
		}
		if d.Name == "" || names[d.Name] != nil {
			d.Name = freeName(p.name, names)
		}
		names[d.Name], dirs[p.dir] = d, d
	}
	c.byName, c.byDir = names, dirs
	return nil
}

// freeName returns a name that no dataset has: name, or name~2 and so on.
func freeName(name string, taken map[string]*Dataset) string {
	free := name
	for n := 2; taken[free] != nil; n++ {
		free = fmt.Sprintf("%s~%d", name, n)
	}
	return free
}
