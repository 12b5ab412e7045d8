package record

import (
	"errors"
	"io/fs"

	"selfplay/datasets/disk"
	"selfplay/datasets/internal/canonical"
	"selfplay/datasets/internal/fault"
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
		if err = stored.Replace(d, games); !errors.Is(err, disk.ErrChanged) {
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
