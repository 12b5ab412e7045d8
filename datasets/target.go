package datasets

import (
	"errors"
	"io/fs"

	"selfplay/datasets/disk"
	"selfplay/datasets/internal/fault"
)

// target is the JSON of .selfplay/target.json: the number of games of the last run.
type target struct {
	Format int    `json:"format"`
	Games  uint64 `json:"games"`
}

func encodeTarget(games uint64) []byte { return encodeJSON(target{FormatVersion, games}) }

// readTarget returns the target, or 0 if no run has set one.
func readTarget(d disk.Dir) (uint64, error) {
	data, err := d.ReadFile(targetName)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	var t target
	if err == nil {
		err = decodeJSON(data, &t)
	}
	if err != nil {
		return 0, &FileError{Op: "read", Path: targetName, Err: err}
	}
	return t.Games, nil
}

// setTarget stores the target of a run and returns it: games, or more if more are
// committed. The last committed shard ends before game end. A task never lowers the stored
// target.
func setTarget(d disk.Dir, end, games uint64, shared bool) (uint64, error) {
	games = max(games, end)
	stored, err := readTarget(d)
	if err == nil && (stored == games || shared && stored > games) {
		return games, nil
	}
	if shared && err != nil {
		return 0, err
	}
	return games, d.Replace(targetName, encodeTarget(games))
}

// checkTarget returns the stored target. The error is ErrCorrupt if the target cannot
// belong to the committed shards, of which the last one ends before game end: a run stores it before it makes its first shard, and
// never stores less than is committed.
func checkTarget(d disk.Dir, p Plan, end uint64) (uint64, error) {
	data, err := d.ReadFile(targetName)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return 0, err
	}
	var t target
	if err == nil && (decodeJSON(data, &t) != nil || string(data) != string(encodeTarget(t.Games))) {
		return 0, errNotCanonical
	}
	switch most := MaxShards * uint64(p.ShardGames); {
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
