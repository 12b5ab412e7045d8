package record

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"selfplay/datasets/disk"
	"selfplay/datasets/internal/fault"
	"selfplay/datasets/plan"
)

// HasNoBookkeeping reports whether a dataset has data files, but neither a commit record nor
// a target, as a copy without .selfplay/. A run stores the target before it publishes its
// first file, so a run that was killed does not look like this.
func HasNoBookkeeping(d disk.Dir) (bool, error) {
	files := 0 // listed first: another task may be creating the dataset
	for _, folder := range plan.Tables {
		names, err := d.List(folder)
		if err != nil {
			return false, err
		}
		files += len(names)
	}
	if files == 0 {
		return false, nil
	}
	if records, err := d.List(plan.CommitsFolder); len(records) > 0 || err != nil {
		return false, err
	}
	found, err := d.Exists(plan.TargetName)
	return !found, err
}

// ReadListed returns the shards of the manifest whose files exist and have the right
// sizes, and the manifest. The set is nil if no manifest of this plan can be read.
func ReadListed(d disk.Dir, h *plan.File) (known *Set, m StoredManifest, err error) {
	known = NewSet(h.Plan)
	m = readStored(d, func(s Entry) {
		if c := s.commit(h); s.IsNamed(h.Plan) && CheckSizes(d, h.Plan, c.Fact()) == nil {
			known.Add(c, true)
		}
	})
	known.Sort()
	switch {
	case errors.Is(m.Err, fs.ErrNotExist), errors.Is(m.Err, fault.ErrCorrupt), m.Err == nil && m.PlanHash != h.Hash:
		return nil, m, nil
	}
	return known, m, m.Err
}

// Target returns the end of the last shard of the manifest.
func (m StoredManifest) Target(p plan.Plan) (games uint64) {
	for _, e := range m.Entries {
		first, _ := p.GamesOf(e.Shard, ^uint64(0))
		games = max(games, first+e.Games)
	}
	return games
}

// commit returns what the manifest knows of the record of a shard.
func (s Entry) commit(h *plan.File) *Commit {
	c := &Commit{Format: plan.FormatVersion, Shard: s.Shard, FirstGame: s.FirstGame, Games: s.Games, Files: s.Files}
	for _, part := range c.Parts() {
		c.Rows += part.Rows
	}
	return c
}

// IsNamed reports whether the files of the entry have the names of its shard.
func (s Entry) IsNamed(p plan.Plan) bool {
	return slices.EqualFunc(s.Files, p.DataNames(s.Shard, s.Games), func(f FileEntry, name string) bool { return f.Name == name })
}

// NoShards returns why a dataset has no commit record: no shard was made, or the records
// were lost.
func NoShards(d disk.Dir) error {
	for _, folder := range plan.Tables {
		names, err := d.List(folder)
		if err != nil {
			return err
		}
		if len(names) > 0 {
			return fault.Corrupt("%s has files, but no shard has a record; was the dataset copied without %s?", folder, disk.Hidden)
		}
	}
	return fmt.Errorf("%w: no shard is committed; run the command that makes the dataset again", fault.ErrIncomplete)
}
