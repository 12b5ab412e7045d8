package datasets

import (
	"errors"
	"io/fs"

	"selfplay/datasets/journal"
)

// Info sums up a dataset.
type Info struct {
	Game       string        `json:"game"`
	PlanHash   string        `json:"plan_hash"`
	Complete   bool          `json:"complete"` // all games of the target are committed and in the manifest
	Target     uint64        `json:"target"`   // games; 0 if unknown
	Shards     int           `json:"shards"`   // of the target
	ShardsDone int           `json:"shards_done"`
	Games      uint64        `json:"games"` // committed, like the totals below
	Rows       uint64        `json:"rows"`
	Bytes      int64         `json:"bytes"`
	Journaled  uint64        `json:"journaled"`         // finished games of unfinished shards, in journals
	Splits     []SplitTotals `json:"splits"`            // of the splits that have a shard
	Dropped    []Dropped     `json:"dropped,omitempty"` // rows that the filter dropped

	// FromManifest: the dataset was copied without .selfplay/. The totals are those of the
	// shards of the manifest whose files exist and have the right sizes.
	FromManifest bool `json:"from_manifest,omitempty"`

	positionBytes int64 // of the positions files
}

// BytesPerRow returns the average size of a row in the positions files, 0 without rows.
func (i Info) BytesPerRow() float64 {
	if i.Rows == 0 {
		return 0
	}
	return float64(i.positionBytes) / float64(i.Rows)
}

// Info reads the commit records and sums them up, and counts the games in journals. Without .selfplay/ it returns what the
// manifest says; see Info.FromManifest.
func (ds *Dataset) Info() (Info, error) {
	if lost, err := hasNoBookkeeping(ds.d); lost || err != nil {
		if info, ok, infoErr := ds.infoByManifest(); ok || err != nil || infoErr != nil {
			return info, errors.Join(err, infoErr)
		}
	}
	journaled, err := journal.NewCounter(ds.d, ds.h.hash).Games() // first: see Census.Count
	if err != nil {
		return Info{}, err
	}
	commits, err := ds.Commits()
	if err != nil {
		return Info{}, err
	}
	target, err := readTarget(ds.d)
	if err != nil {
		return Info{}, err
	}
	stored, err := readManifest(ds.d)
	if err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, ErrCorrupt) {
		return Info{}, err
	}
	info := ds.sumUp(commits, target)
	committed := map[int]bool{}
	for _, c := range commits {
		committed[c.Shard] = true
	}
	info.Journaled = ds.h.plan.journaledGames(target, journaled, func(s int) bool { return !committed[s] })
	current := err == nil && newManifest(ds.h, commits).agrees(stored)
	info.Complete = current && target > 0 && len(missingShards(ds.h.plan, commits, target)) == 0
	return info, nil
}

// sumUp returns the totals of shards.
func (ds *Dataset) sumUp(commits []*Commit, target uint64) Info {
	m := newManifest(ds.h, commits)
	info := Info{
		Game: ds.h.plan.Game, PlanHash: ds.h.hash, Target: target,
		Shards: max(ds.h.plan.shards(target), m.Shards), ShardsDone: m.Shards,
		Games: m.Games, Rows: m.Rows, Bytes: m.Bytes, Splits: m.Splits, Dropped: m.Dropped,
	}
	for _, c := range commits {
		info.positionBytes += c.Files[PositionsFile].Bytes
	}
	return info
}
