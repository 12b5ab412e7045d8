package datasets

import (
	"errors"
	"fmt"
	"io/fs"
	"selfplay/datasets/disk"
	"selfplay/datasets/internal/fault"
	"selfplay/datasets/plan"
)

// hasNoBookkeeping reports whether a dataset has data files, but neither a commit record nor
// a target, as a copy without .selfplay/. A run stores the target before it publishes its
// first file, so a run that was killed does not look like this.
func hasNoBookkeeping(d disk.Dir) (bool, error) {
	files := 0 // listed first: another task may be creating the dataset
	for _, folder := range tables {
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

// readManifestRecords returns the shards of the manifest whose files exist and have the right
// sizes, and the manifest. The set is nil if no manifest of this plan can be read.
func readManifestRecords(d disk.Dir, h *plan.File) (known *recordSet, m storedManifest, err error) {
	known = newRecordSet(h.Plan)
	m.manifest, m.sum, m.err = scanManifest(d, func(s manifestShard, sum entrySum) {
		m.entries = append(m.entries, shardEntry{s.Shard, s.Games, sum})
		if c := s.commit(h); s.isNamed(h.Plan) && checkSizes(d, h.Plan, s.Shard, c.shardRecord().sizes) == nil {
			known.add(c, true)
		}
	})
	known.sort()
	switch {
	case errors.Is(m.err, fs.ErrNotExist), errors.Is(m.err, fault.ErrCorrupt), m.err == nil && m.PlanHash != h.Hash:
		return nil, m, nil
	}
	return known, m, m.err
}

// target returns the end of the last shard of the manifest.
func (m storedManifest) target(p plan.Plan) (games uint64) {
	for _, e := range m.entries {
		first, _ := p.GamesOf(e.shard, ^uint64(0))
		games = max(games, first+e.games)
	}
	return games
}

// commit returns what the manifest knows of the record of a shard.
func (s manifestShard) commit(h *plan.File) *Commit {
	return &Commit{Shard: s.Shard, Split: h.Plan.Split(s.Shard), FirstGame: s.FirstGame, Games: s.Games,
		Rows: s.Positions.Rows, Files: s.files()}
}

// isNamed reports whether the files of the entry have the names of its shard.
func (s manifestShard) isNamed(p plan.Plan) bool {
	for i, f := range s.files() {
		if f.Name != p.DataName(tables[i], s.Shard) {
			return false
		}
	}
	return true
}

// noShards returns why a dataset has no commit record: no shard was made, or the records
// were lost.
func noShards(d disk.Dir) error {
	for _, folder := range tables {
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
