package catalog

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"
	"unicode"

	"selfplay/datasets/disk"
	"selfplay/datasets/plan"
)

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
