package datasets

import (
	"errors"
	"io/fs"

	"selfplay/datasets/plan"
	"selfplay/datasets/record"
)

// Target returns the number of games that the last run was to reach, 0 if it is unknown.
func (ds *Dataset) Target() (uint64, error) { return record.ReadTarget(ds.d) }

// Refresh returns what Commits returns, for a program that asks again and again: it reads only
// the records that known, an earlier result, lacks, and those of short shards, which a run may
// supersede. A shard whose record disappears meanwhile is left out. It does not change known.
func (ds *Dataset) Refresh(known []*record.Commit) ([]*record.Commit, error) {
	byShard := make(map[int]*record.Commit, len(known))
	for _, c := range known {
		if c.Games >= uint64(ds.h.Plan.ShardGames) {
			byShard[c.Shard] = c
		}
	}
	shards, err := record.ListShards(ds.d, plan.CommitsFolder)
	if err != nil {
		return nil, err
	}
	read := func(s int) (*record.Commit, error) {
		if c := byShard[s]; c != nil {
			return c, nil
		}
		return record.Read(ds.d, ds.h, s)
	}
	var commits []*record.Commit
	for c, err := range record.ReadAhead(shards, read) {
		if errors.Is(err, fs.ErrNotExist) { // superseded since it was listed
			continue
		}
		if err != nil {
			return nil, err
		}
		commits = append(commits, c)
	}
	return commits, nil
}
