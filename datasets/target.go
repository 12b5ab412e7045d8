package datasets

import (
	"errors"
	"io/fs"
	"selfplay/datasets/disk"
	"selfplay/datasets/internal/fault"
)

// target is .selfplay/target.json: how many games the last run was asked for.
type target struct {
	Format int    `json:"format"`
	Games  uint64 `json:"games"`
}

// readTarget returns the target, 0 if no run has set one.
func readTarget(d disk.Dir) (uint64, error) {
	data, err := d.ReadFile(targetName)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	var t target
	if err := decodeJSON(data, &t); err != nil {
		return 0, &FileError{Op: "read", Path: targetName, Err: err}
	}
	return t.Games, nil
}

// setTarget stores the target of a run and returns it: games, or more where
// that would cut off a shard which is already committed. One of several tasks never
// lowers it, and mostly finds it as it should be.
func setTarget(d disk.Dir, commits []*Commit, games uint64, shared bool) (uint64, error) {
	games = atLeast(commits, games)
	there, err := readTarget(d)
	if err == nil && (there == games || shared && there > games) {
		return games, nil
	}
	if shared && err != nil {
		return 0, err
	}
	return games, d.Replace(targetName, encodeTarget(games))
}

func encodeTarget(games uint64) []byte { return encodeJSON(target{FormatVersion, games}, "") }

// checkTarget returns the target if it can be one of these shards. It was set before
// the first of them was made, and never to less than was there.
func checkTarget(d disk.Dir, p Plan, commits []*Commit) (uint64, error) {
	data, err := d.ReadFile(targetName)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return 0, err
	}
	var t target
	if err == nil && (decodeJSON(data, &t) != nil || string(data) != string(encodeTarget(t.Games))) {
		return 0, fault.Corrupt("not as it was written")
	}
	switch end, most := atLeast(commits, 0), maxShards*uint64(p.ShardGames); {
	case t.Games == 0 && end > 0:
		return 0, fault.Corrupt("no target, but shards")
	case t.Games < end:
		return 0, fault.Corrupt("%d games are less than are there", t.Games)
	case t.Games > most:
		return 0, fault.Corrupt("%d games: at most %d", t.Games, most)
	}
	return t.Games, nil
}

// atLeast returns games, or more if more are committed.
func atLeast(commits []*Commit, games uint64) uint64 {
	if n := len(commits); n > 0 {
		last := commits[n-1]
		games = max(games, last.FirstGame+last.Games)
	}
	return games
}
