package datasets

import "errors"

// A short last shard that a larger target makes full is retired and made again,
// whole, so that an extended dataset is the one made in one go. Three steps, each
// atomic, so that a kill between them is finished by the next run: its record
// moves to retired/ (the shard no longer counts), its files go, the moved record
// goes. Only under the lock.

// retireShort retires the committed shards that have fewer games than a dataset
// of target games wants, and returns the others.
func retireShort(d dir, p Plan, commits []*Commit, target uint64) ([]*Commit, error) {
	var kept []*Commit
	for _, c := range commits {
		if _, want := p.games(c.Shard, target); c.Games == want {
			kept = append(kept, c)
			continue
		}
		if err := d.disk.Rename(d.path(commitName(c.Shard)), d.path(retiredRecord(c.Shard))); err != nil {
			return nil, err
		}
		if err := errors.Join(d.disk.SyncDir(d.path(commitsName)), d.disk.SyncDir(d.path(retiredName))); err != nil {
			return nil, err
		}
	}
	return kept, finishRetiring(d, p)
}

// finishRetiring removes the files of every retired shard, then its record.
func finishRetiring(d dir, p Plan) error {
	shards, err := listShards(d, retiredName)
	if err != nil {
		return err
	}
	for _, s := range shards {
		for _, table := range tables {
			name := p.dataName(table, s)
			if err := d.remove(name); err != nil {
				return err
			}
			if err := d.syncFolder(name); err != nil {
				return err
			}
		}
		if err := d.remove(retiredRecord(s)); err != nil {
			return err
		}
	}
	return d.disk.SyncDir(d.path(retiredName))
}
