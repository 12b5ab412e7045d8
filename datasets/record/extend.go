package record

import (
	"path"
	"slices"

	"selfplay/datasets/disk"
	"selfplay/datasets/plan"
)

// A committed shard with fewer games than the target gives it is extended. Rows that count never vanish before
// their successor counts:
//
//  1. The data files of the longer shard are published. Their names hold another number of games.
//  2. The manifest, which lists the short shard, is removed.
//  3. The commit record is replaced in one step. Before it the short shard counts, after it the longer one.
//  4. The data files of the short shard are removed.
//
// After a kill before step 3, the next run publishes the same files again, or removes them if its target is lower. After
// a kill before step 4, the files are leftovers: the record has more games than their names, and its own
// files prove it. Commands with the whole dataset before them remove leftovers: DropReplaced.

// FileState says what a data file is to the records and the target.
type FileState uint8

const (
	Foreign  FileState = iota // nothing explains the file
	Recorded                  // its shard is committed with this number of games
	Replaced                  // its shard is committed with more games
	Pending                   // its shard is committed with fewer games, or not at all, and the target wants them
)

// StateOf returns the state of a data file by its name.
func (r *Set) StateOf(p plan.Plan, name string, target uint64) FileState {
	s, games, ok := p.ShardOfFile(name)
	if !ok || !slices.Contains(p.DataNames(s, games), name) {
		return Foreign
	}
	want := uint64(0)
	if s < p.Shards(target) {
		_, want = p.GamesOf(s, target)
	}
	switch have := r.Games(s); {
	case games == have:
		return Recorded
	case games < have:
		return Replaced
	case games <= want:
		return Pending
	}
	return Foreign
}

// DropReplaced removes the data files of shards that were extended, where the longer shard has its files.
func (r *Set) DropReplaced(d disk.Dir, p plan.Plan) error {
	files, err := listData(d)
	if err != nil {
		return err
	}
	for _, name := range files {
		if r.StateOf(p, name, 0) != Replaced {
			continue
		}
		s, _, _ := p.ShardOfFile(name)
		if now, _ := r.find(s); CheckSizes(d, p, now) != nil {
			continue
		}
		if err := DropFiles(d, []string{name}); err != nil {
			return err
		}
	}
	return nil
}

// Abandoned returns the data files that killed runs to the target before left beyond the new one: they had been
// published, but not recorded. Files of shards that the manifest lists stay if the record is lost.
func (r *Set) Abandoned(d disk.Dir, p plan.Plan, stored StoredManifest, before, target uint64) (names []string, err error) {
	if before <= target {
		return nil, nil
	}
	files, err := listData(d)
	listed := stored.Shards()
	for _, name := range files {
		s, _, _ := p.ShardOfFile(name)
		lost := listed[s] && r.Games(s) == 0
		if r.StateOf(p, name, before) == Pending && r.StateOf(p, name, target) == Foreign && !lost {
			names = append(names, name)
		}
	}
	return names, err
}

// listData lists the files in the folders of the tables.
func listData(d disk.Dir) (list []string, err error) {
	for _, table := range plan.Tables {
		names, err := d.ListFiles(table)
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			list = append(list, path.Join(table, name))
		}
	}
	return list, nil
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
