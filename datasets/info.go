package datasets

import (
	"errors"
	"io/fs"

	"selfplay/datasets/internal/fault"
	"selfplay/datasets/journal"
	"selfplay/datasets/plan"
	"selfplay/datasets/record"
)

// Info sums up a dataset.
type Info struct {
	Game     string `json:"game"`
	PlanHash string `json:"plan_hash"`
	Complete bool   `json:"complete"` // all games of the target are committed and in the manifest
	record.Counts
	Rows      uint64               `json:"rows"` // committed, like the games in Counts
	Bytes     int64                `json:"bytes"`
	Journaled uint64               `json:"journaled"`         // finished games of unfinished shards, in journals
	GamesDone uint64               `json:"games_done"`        // committed or journaled
	Splits    []record.SplitTotals `json:"splits"`            // of the splits that have games
	Dropped   []record.Dropped     `json:"dropped,omitempty"` // rows that the filter dropped

	// FromManifest: the dataset was copied without .selfplay/. The totals are those of the
	// shards of the manifest whose files exist and have the right sizes.
	FromManifest bool `json:"from_manifest,omitempty"`

	Results []record.NamedCount `json:"-"` // of the committed games; nil of an incomplete copy
	End     uint64              `json:"-"` // the number of the game after the last committed one

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
	if lost, err := record.HasNoBookkeeping(ds.d); lost || err != nil {
		if info, ok, infoErr := ds.infoByManifest(); ok || err != nil || infoErr != nil {
			return info, errors.Join(err, infoErr)
		}
	}
	journaled, err := journal.NewCounter(ds.d, ds.file.Hash).Games() // first: see Census.Count
	if err != nil {
		return Info{}, err
	}
	stored := record.ReadStored(ds.d)
	records, err := record.ReadSet(ds.d, ds.file, stored, nil)
	if err != nil {
		return Info{}, err
	}
	target, err := record.ReadTarget(ds.d)
	if err != nil {
		return Info{}, err
	}
	if stored.Err != nil && !errors.Is(stored.Err, fs.ErrNotExist) && !errors.Is(stored.Err, fault.ErrCorrupt) {
		return Info{}, stored.Err
	}
	info := InfoOf(ds.file, records, target)
	info.AddJournaled(ds.file.Plan.CountJournaled(target, journaled, records.Games, func(int) bool { return true }))
	info.Complete = info.Complete && stored.Err == nil && stored.IsCurrent(ds.file, records)
	return info, nil
}

// AddJournaled adds the games in journals, by shard.
func (i *Info) AddJournaled(games map[int]uint64) {
	i.Journaled += plan.Total(games)
	i.GamesDone = i.Games + i.Journaled
}

// InfoOf returns the totals of the shards of a dataset, whose plan is file, for those who have read the records.
// It is complete if it has all games of the target: the caller knows whether the manifest has them.
func InfoOf(file *plan.File, records *record.Set, target uint64) Info {
	p, m := file.Plan, records.All.Manifest(file)
	info := Info{
		Game: p.Game, PlanHash: file.Hash, Complete: target > 0 && len(records.Missing(p, target)) == 0,
		Counts:    record.Counts{Target: target, Shards: max(p.Shards(target), m.Shards), ShardsDone: len(records.Complete(p, target)), Games: m.Games},
		GamesDone: m.Games, Rows: m.Rows, Bytes: m.Bytes, Splits: m.Splits, Dropped: m.Dropped,
		Results: m.Results, End: records.End(p),
	}
	for _, r := range records.List {
		info.positionBytes += r.PositionBytes()
	}
	return info
}

// infoByManifest sums up the shards of the manifest. It returns false if no manifest of
// this plan can be read.
func (ds *Dataset) infoByManifest() (info Info, ok bool, err error) {
	known, m, err := record.ReadListed(ds.d, ds.file)
	if known == nil || err != nil {
		return Info{}, false, err
	}
	target := m.Target(ds.file.Plan)
	info = InfoOf(ds.file, known, target)
	info.FromManifest = true
	info.Complete = info.Complete && len(known.List) == len(m.Entries)
	info.Dropped = nil
	if info.Complete {
		info.Dropped, info.Results = m.Dropped, m.Results // the manifest has no counts of single shards
	}
	return info, true, nil
}
