package record

import (
	"errors"
	"path"

	"selfplay/datasets/disk"
	"selfplay/datasets/internal/fault"
	"selfplay/datasets/plan"
)

// To supersede a shard is to take it out of the dataset, so that a run makes it again:
// because it is short and a larger target makes it longer, or because it is damaged. It
// needs the exclusive lock. The steps are:
//
//  1. Remove the manifest, which lists the shard.
//  2. Copy the commit record to superseded/.
//  3. Remove the commit record. The shard no longer counts.
//  4. Remove the data files.
//  5. Remove the copy of the record.
//
// Each step is atomic. After a kill the next run continues: a shard with a copy but no
// record continues at step 4. If the record exists, step 3 was not done, or the shard was
// committed again; then only the copy is removed.

// SupersedeShort supersedes the shards that have fewer games than target gives them, and
// returns the others.
func SupersedeShort(d disk.Dir, p plan.Plan, records []Shard, target uint64) (kept []Shard, err error) {
	for _, c := range records {
		if _, want := p.GamesOf(c.Shard, target); c.Games == want {
			kept = append(kept, c)
			continue
		}
		if err := DropManifest(d); err != nil {
			return nil, err
		}
		if err := DropRecord(d, c.Shard); err != nil {
			return nil, err
		}
	}
	return kept, FinishSuperseding(d, p)
}

// DropRecord moves the record of a shard to superseded/. From here on any run may delete
// its files. Only the name of the copy matters, so a damaged record may be moved too.
func DropRecord(d disk.Dir, s int) error {
	record, err := d.ReadFile(plan.CommitName(s))
	if err == nil || errors.Is(err, fault.ErrCorrupt) {
		err = d.Replace(plan.SupersededName(s), record)
	}
	if err == nil {
		err = d.Remove(plan.CommitName(s))
	}
	if err != nil {
		return err
	}
	return d.SyncFolder(plan.CommitName(s))
}

// FinishSuperseding removes the files of all superseded shards, and then the copies of
// their records.
func FinishSuperseding(d disk.Dir, p plan.Plan) error {
	shards, err := ListShards(d, plan.SupersededFolder)
	if err != nil || len(shards) == 0 {
		return err
	}
	for _, s := range shards {
		committed, err := d.Exists(plan.CommitName(s))
		if err != nil {
			return err
		}
		if !committed {
			if err := dropFiles(d, p, s); err != nil {
				return err
			}
		}
		if err := d.Remove(plan.SupersededName(s)); err != nil {
			return err
		}
	}
	return d.FS.SyncDir(d.Path(plan.SupersededFolder))
}

// Abandoned returns the data files that killed runs left of shards whose games the new target changes: those that
// had been published, but not recorded. No run to the new target can use them. Files of shards that the manifest lists
// stay: there the record is lost.
func (r *Set) Abandoned(d disk.Dir, p plan.Plan, stored StoredManifest, before, target uint64) (names []string, err error) {
	possible := r.changedNames(p, stored, before, target)
	if len(possible) == 0 {
		return nil, nil
	}
	for _, table := range plan.Tables {
		files, err := d.ListFiles(table)
		if err != nil {
			return nil, err
		}
		for _, name := range files {
			if name = path.Join(table, name); possible[name] {
				names = append(names, name)
			}
		}
	}
	return names, nil
}

// changedNames returns the names of files that shards may have which neither a record nor the manifest has, and to which
// the new target gives other games than the one before.
func (r *Set) changedNames(p plan.Plan, stored StoredManifest, before, target uint64) map[string]bool {
	if before == target {
		return nil
	}
	names, listed := map[string]bool{}, stored.Shards()
	for s := int(min(before, target) / uint64(p.ShardGames)); s < min(p.Shards(before), plan.MaxShards); s++ {
		if r.Games(s) > 0 || listed[s] {
			continue
		}
		for _, name := range p.PossibleNames(s) {
			names[name] = true
		}
	}
	return names
}

// dropFiles removes the data files of shard s.
func dropFiles(d disk.Dir, p plan.Plan, s int) error {
	return DropFiles(d, p.PossibleNames(s))
}

// DropFiles removes data files, those that exist.
func DropFiles(d disk.Dir, names []string) error {
	for _, name := range names {
		if err := d.Remove(name); err != nil {
			return err
		}
		if err := d.SyncFolder(name); err != nil {
			return err
		}
	}
	return nil
}

// DropManifest removes the manifest, if it exists.
func DropManifest(d disk.Dir) error {
	found, err := d.Exists(plan.ManifestName)
	if err != nil || !found {
		return err
	}
	if err := d.Remove(plan.ManifestName); err != nil {
		return err
	}
	return d.SyncFolder(plan.ManifestName)
}
