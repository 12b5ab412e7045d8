// Package catalog knows the datasets of the server: those below the directories that it was
// started with, their games and their reports. It reads only committed shards, and holds no file
// open. Errors for clients have a status of HTTP; see Status and Message.
//
// A name is the path of a dataset below the directory, with ~ in place of slashes, or the last
// element of the path if the directory itself is the dataset. It fits into a path of a URL.
// Everything in this package may be used by several goroutines.
package catalog

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"

	"selfplay/datasets/disk"
	"selfplay/datasets/plan"
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

// List returns the datasets, by name.
func (c *Catalog) List() []*Dataset {
	c.refresh(rescanList)
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.SortedFunc(maps.Values(c.byName), func(a, b *Dataset) int { return strings.Compare(a.Name, b.Name) })
}

// Find returns the dataset with a name: the one that is there now. The error is NotFound.
func (c *Catalog) Find(name string) (*Dataset, error) {
	if d := c.current(name); d != nil {
		return d, nil
	}
	c.refresh(rescanMiss)
	if d := c.find(name); d != nil {
		return d, nil
	}
	return nil, NotFound("no dataset %.100q: /api/datasets lists them", name)
}

// has reports whether the catalog still has a dataset.
func (c *Catalog) has(d *Dataset) bool {
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

// scan looks for datasets. One that is there already stays the same, unless its plan was
// replaced; its place keeps the name.
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
	names, dirs := map[string]*Dataset{}, map[string]*Dataset{}
	for _, p := range found {
		if dirs[p.dir] != nil { // below two of the directories
			continue
		}
		d := c.byDir[p.dir]
		switch {
		case d == nil:
			d = &Dataset{Name: c.nameFor(p), Dir: p.dir, games: c.games, plan: p.plan}
		case d.plan != p.plan:
			d = &Dataset{Name: d.Name, Dir: p.dir, games: c.games, plan: p.plan}
		}
		names[d.Name], dirs[p.dir] = d, d
	}
	c.byName, c.byDir = names, dirs
	return nil
}

// nameFor returns a name for a new place that no other place has or had: its own name, or name~2 and so on. c.mu is
// locked.
func (c *Catalog) nameFor(p place) string {
	free := p.name
	for n := 2; ; n++ {
		if owner, taken := c.owners[free]; !taken || owner == p.dir {
			c.owners[free] = p.dir
			return free
		}
		free = fmt.Sprintf("%s~%d", p.name, n)
	}
}

// Limits of the search for datasets, in case a directory is a whole disk.
const (
	maxDepth   = 4
	maxFolders = 10_000
)

// place is where a dataset is.
type place struct {
	dir  string // or URL
	name string
	plan planStamp
}

// planStamp tells whether a plan was replaced.
type planStamp struct {
	size    int64
	written time.Time
}

// statPlan returns what tells the plan of the dataset in a directory from another one.
func statPlan(dir string) (planStamp, error) {
	info, err := os.Lstat(filepath.Join(dir, plan.FileName))
	if err != nil {
		return planStamp{}, err
	}
	return planStamp{info.Size(), info.ModTime()}, nil
}

// walk returns the datasets in or below a directory, in the order of their paths. It follows
// no link below it. A folder inside a dataset is not one.
func walk(dir string) (found []place, err error) {
	if disk.IsURL(dir) {
		return []place{{dir: dir, name: cleanName(path.Base(dir))}}, nil
	}
	if dir, err = filepath.EvalSymlinks(dir); err == nil {
		dir, err = filepath.Abs(dir)
	}
	if err != nil {
		return nil, err
	}
	folders := 0
	err = filepath.WalkDir(dir, func(at string, e fs.DirEntry, err error) error {
		if err != nil {
			if at == dir {
				return err
			}
			return fs.SkipDir // it is removed, or not ours to read
		}
		if !e.IsDir() {
			return nil
		}
		if folders++; folders > maxFolders {
			return fs.SkipAll
		}
		rel, _ := filepath.Rel(dir, at) // at is below dir
		if at != dir && strings.HasPrefix(e.Name(), ".") {
			return fs.SkipDir
		}
		plan, err := statPlan(at)
		if err == nil {
			if rel == "." {
				rel = filepath.Base(dir)
			}
			found = append(found, place{at, cleanName(filepath.ToSlash(rel)), plan})
			return fs.SkipDir
		}
		if !errors.Is(err, fs.ErrNotExist) || rel != "." && strings.Count(filepath.ToSlash(rel), "/") >= maxDepth-1 {
			return fs.SkipDir
		}
		return nil
	})
	return found, err
}

// cleanName returns a name without characters that mean something in a path of a URL or in the
// name of a game.
func cleanName(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '/':
			return '~'
		case unicode.IsLetter(r), unicode.IsDigit(r), strings.ContainsRune("._-~", r):
			return r
		}
		return '_'
	}, name)
}
