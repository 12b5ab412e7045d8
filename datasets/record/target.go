package record

import (
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"slices"

	"selfplay/datasets/disk"
	"selfplay/datasets/internal/canonical"
	"selfplay/datasets/internal/fault"
	"selfplay/datasets/journal"
	"selfplay/datasets/plan"
)

// target is the JSON of .selfplay/target.json: the number of games of the last run.
type target struct {
	Format int    `json:"format"`
	Games  uint64 `json:"games"`
}

// targetFormat is the format of the target file, which is the same in all datasets.
const targetFormat = 1

// EncodeTarget returns the text of the target file.
func EncodeTarget(games uint64) []byte { return canonical.Marshal(target{targetFormat, games}) }

// ReadTarget returns the target, or 0 if no run has set one.
func ReadTarget(d disk.Dir) (uint64, error) {
	stored, err := ReadStoredTarget(d)
	return stored.Games, err
}

// StoredTarget is the target on disk.
type StoredTarget struct {
	Games uint64
	text  []byte // nil without a file
}

// ReadStoredTarget reads the target with its text. It is zero if no run has set one.
func ReadStoredTarget(d disk.Dir) (s StoredTarget, err error) {
	s.text, err = d.ReadFile(plan.TargetName)
	if errors.Is(err, fs.ErrNotExist) {
		return StoredTarget{}, nil
	}
	var t target
	if err == nil {
		err = canonical.Unmarshal(s.text, &t)
	}
	if err != nil {
		return s, &fault.FileError{Op: "read", Path: plan.TargetName, Err: err}
	}
	s.Games = t.Games
	return s, nil
}

// Replace stores another target in the place of s. In an object store the error is disk.ErrChanged if
// another process has replaced s since it was read.
func (s StoredTarget) Replace(d disk.Dir, games uint64) error {
	return d.ReplaceIf(plan.TargetName, s.text, EncodeTarget(games))
}

// SetTarget stores the target of a run. A task never lowers the stored target.
func SetTarget(d disk.Dir, games uint64, shared bool) error {
	if shared {
		return RaiseTarget(d, games)
	}
	stored, err := ReadStoredTarget(d)
	if err == nil && stored.Games == games {
		return nil
	}
	return stored.Replace(d, games)
}

// RaiseTarget makes sure that the stored target has at least the given games.
func RaiseTarget(d disk.Dir, games uint64) error {
	for {
		stored, err := ReadStoredTarget(d)
		if err != nil || stored.Games >= games {
			return err
		}
		err = stored.Replace(d, games)
		if !errors.Is(err, disk.ErrChanged) {
			return err
		}
	}
}

// CheckTarget returns the stored target. The error is ErrCorrupt if the target cannot
// belong to the committed shards, of which the last one ends before game end: a run stores it
// before it makes its first shard, and never stores less than is committed.
func CheckTarget(d disk.Dir, p plan.Plan, end uint64) (uint64, error) {
	data, err := d.ReadFile(plan.TargetName)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return 0, err
	}
	var t target
	if err == nil && (canonical.Unmarshal(data, &t) != nil || string(data) != string(EncodeTarget(t.Games))) {
		return 0, canonical.ErrForm
	}
	switch most := plan.MaxShards * uint64(p.ShardGames); {
	case t.Games == 0 && end > 0:
		return 0, fault.Corrupt("no target, but %d committed games", end)
	case t.Games < end:
		return 0, fault.Corrupt("target of %d games, but %d are committed", t.Games, end)
	case t.Games > most:
		return 0, fault.Corrupt("target of %d games: at most %d", t.Games, most)
	}
	return t.Games, nil
}

// EndOf returns the number of the game after the last committed one. Commits are in shard
// order.
func EndOf(commits []*Commit) uint64 {
	if len(commits) == 0 {
		return 0
	}
	last := commits[len(commits)-1]
	return last.FirstGame + last.Games
}

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

// CheckFolders refuses links in place of the folders of a dataset. Call it before the
// first write: a writer creates and removes files in these folders.
func CheckFolders(d disk.Dir) error {
	hidden := []string{disk.Hidden, disk.TempFolder, disk.RemovedFolder, journal.Folder, plan.RunsFolder, plan.CommitsFolder, plan.AnswersFolder}
	return d.CheckFolders(append(append(hidden, plan.NetworksFolder), plan.Tables[:]...)...)
}

// MakeHidden creates and syncs the bookkeeping folders.
func MakeHidden(d disk.Dir) error {
	if err := d.MakeFolders(plan.CommitsFolder, journal.Folder, disk.TempFolder); err != nil {
		return err
	}
	_ = d.FS.SyncDir(filepath.Dir(d.Root)) // the parent may not be readable
	return errors.Join(d.FS.SyncDir(d.Path(disk.Hidden)), d.FS.SyncDir(d.Root))
}

// MakeFolders creates and syncs the folders of the tables. Call it after the plan is
// written: without a plan the folders would belong to no dataset.
func MakeFolders(d disk.Dir) error {
	if err := d.MakeFolders(plan.Tables[:]...); err != nil {
		return err
	}
	return d.FS.SyncDir(d.Root)
}

// AppendFailure appends a failure, as one line of JSON, to .selfplay/failures.jsonl of
// the dataset in root, or on this machine if root is in an object store. It syncs the file and
// returns its path. It needs no lock: several
// processes may append at once.
func AppendFailure(root string, failure any) (path string, err error) {
	d, err := disk.At(root)
	if err != nil {
		return "", err
	}
	path = d.Path(plan.FailuresName)
	f, err := disk.OpenAppend(path)
	if err != nil {
		return path, err
	}
	_, err = f.Write(append(canonical.Marshal(failure), '\n'))
	return path, errors.Join(err, f.Sync(), f.Close())
}
