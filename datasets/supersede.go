package datasets

import "errors"

// A short last shard that a larger target makes full is retired and made again,
// whole, so that an extended dataset is the one made in one go. So is a damaged one
// that is taken out. The manifest, which tells of it, goes first. Then come steps that
// are each atomic, so that a kill between them is finished by the next run: its record
// is copied to retired/, the record goes (the shard no longer counts), its files go,
// the copy goes. Where the record is there still, or again, nothing was retired. Only
// under the lock.

// supersedeShort retires the committed shards that have fewer games than a dataset
// of target games wants, and returns the others.
func supersedeShort(d dir, p Plan, commits []*Commit, target uint64) ([]*Commit, error) {
	var kept []*Commit
	for _, c := range commits {
		if _, want := p.games(c.Shard, target); c.Games == want {
			kept = append(kept, c)
			continue
		}
		if err := dropManifest(d); err != nil {
			return nil, err
		}
		if err := supersede(d, c.Shard); err != nil {
			return nil, err
		}
	}
	return kept, finishSuperseding(d, p)
}

// supersede takes the record of a shard away. From then on its files go, whoever is at it.
// Of the copy only the name counts, so it may be of a record that cannot be read.
func supersede(d dir, s int) error {
	record, err := d.readFile(commitName(s))
	if err == nil || errors.Is(err, ErrCorrupt) {
		err = d.replace(supersededRecord(s), record)
	}
	if err == nil {
		err = d.remove(commitName(s))
	}
	if err != nil {
		return err
	}
	return d.syncFolder(commitName(s))
}

// finishSuperseding removes what there is of every retired shard, its copied record last.
func finishSuperseding(d dir, p Plan) error {
	shards, err := listShards(d, supersededName)
	if err != nil || len(shards) == 0 {
		return err
	}
	for _, s := range shards {
		committed, err := d.exists(commitName(s))
		if err != nil {
			return err
		}
		if !committed {
			if err := dropFiles(d, p, s); err != nil {
				return err
			}
		}
		if err := d.remove(supersededRecord(s)); err != nil {
			return err
		}
	}
	return d.disk.SyncDir(d.path(supersededName))
}

func dropFiles(d dir, p Plan, s int) error {
	for _, table := range tables {
		name := p.dataName(table, s)
		if err := d.remove(name); err != nil {
			return err
		}
		if err := d.syncFolder(name); err != nil {
			return err
		}
	}
	return nil
}
