package datasets

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

func encodeTarget(games uint64) []byte { return canonical.Marshal(target{plan.FormatVersion, games}) }

// readTarget returns the target, or 0 if no run has set one.
func readTarget(d disk.Dir) (uint64, error) {
	stored, err := readStoredTarget(d)
	return stored.games, err
}

// storedTarget is the target on disk.
type storedTarget struct {
	games uint64
	text  []byte // nil without a file
}

func readStoredTarget(d disk.Dir) (s storedTarget, err error) {
	s.text, err = d.ReadFile(plan.TargetName)
	if errors.Is(err, fs.ErrNotExist) {
		return storedTarget{}, nil
	}
	var t target
	if err == nil {
		err = canonical.Unmarshal(s.text, &t)
	}
	if err != nil {
		return s, &fault.FileError{Op: "read", Path: plan.TargetName, Err: err}
	}
	s.games = t.Games
	return s, nil
}

// replace stores another target in the place of s. In an object store the error is disk.ErrChanged if
// another process has replaced s since it was read.
func (s storedTarget) replace(d disk.Dir, games uint64) error {
	return d.ReplaceIf(plan.TargetName, s.text, encodeTarget(games))
}

// setTarget stores the target of a run. A task never lowers the stored target.
func setTarget(d disk.Dir, games uint64, shared bool) error {
	if shared {
		return raiseTarget(d, games)
	}
	stored, err := readStoredTarget(d)
	if err == nil && stored.games == games {
		return nil
	}
	return stored.replace(d, games)
}

// raiseTarget makes sure that the stored target has at least the given games.
func raiseTarget(d disk.Dir, games uint64) error {
	for {
		stored, err := readStoredTarget(d)
		if err != nil || stored.games >= games {
			return err
		}
		if err = stored.replace(d, games); !errors.Is(err, disk.ErrChanged) {
			return err
		}
	}
}

// checkTarget returns the stored target. The error is ErrCorrupt if the target cannot
// belong to the committed shards, of which the last one ends before game end: a run stores it
// before it makes its first shard, and never stores less than is committed.
func checkTarget(d disk.Dir, p plan.Plan, end uint64) (uint64, error) {
	data, err := d.ReadFile(plan.TargetName)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return 0, err
	}
	var t target
	if err == nil && (canonical.Unmarshal(data, &t) != nil || string(data) != string(encodeTarget(t.Games))) {
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

// endOf returns the number of the game after the last committed one. Commits are in shard
// order.
func endOf(commits []*Commit) uint64 {
	if len(commits) == 0 {
		return 0
	}
	last := commits[len(commits)-1]
	return last.FirstGame + last.Games
}
