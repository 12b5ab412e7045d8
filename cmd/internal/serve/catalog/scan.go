package catalog

import (
	"fmt"
	"time"
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
	names := c.namesOf(found)
	dirs := map[string]*Dataset{}
	for _, p := range found {
		if dirs[p.dir] != nil { // below two of the directories
			continue
		}
		d := c.byDir[p.dir]
		switch {
		case d == nil:
			d = &Dataset{Name: freeName(p.name, names), Dir: p.dir, games: c.games, plan: p.plan}
		case d.plan != p.plan:
			d = &Dataset{Name: d.Name, Dir: p.dir, games: c.games, plan: p.plan}
		}
		names[d.Name], dirs[p.dir] = d, d
	}
	c.byName, c.byDir = names, dirs
	return nil
}

// namesOf returns the names that places have already. New datasets get others.
func (c *Catalog) namesOf(found []place) map[string]*Dataset {
	names := map[string]*Dataset{}
	for _, p := range found {
		if d := c.byDir[p.dir]; d != nil {
			names[d.Name] = d
		}
	}
	return names
}

// freeName returns a name that no dataset has: name, or name~2 and so on.
func freeName(name string, taken map[string]*Dataset) string {
	free := name
	for n := 2; taken[free] != nil; n++ {
		free = fmt.Sprintf("%s~%d", name, n)
	}
	return free
}
