package datasets

import (
	"errors"
	"selfplay/datasets/disk"
)

// A short last shard that a larger target makes full is retired and made again,
// whole, so that an extended dataset is the one made in one go. So is a damaged one
// that is taken out. The manifest, which tells of it, goes first. Then come steps that
// are each atomic, so that a kill between them is finished by the next run: its record
// is copied to retired/, the record goes (the shard no longer counts), its files go,
// the copy goes. Where the record is there still, or again, nothing was retired. Only
// under the lock.

// supersedeShort retires the committed shards that have fewer games than a dataset
// of target games wants, and returns the others.
func supersedeShort(d disk.Dir, p Plan, commits []*Commit, target uint64) ([]*Commit, error) {
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
func supersede(d disk.Dir, s int) error {
	record, err := d.ReadFile(commitName(s))
	if err == nil || errors.Is(err, ErrCorrupt) {
		err = d.Replace(supersededRecord(s), record)
	}
	if err == nil {
		err = d.Remove(commitName(s))
	}
	if err != nil {
		return err
	}
	return d.SyncFolder(commitName(s))
}

// finishSuperseding removes what there is of every retired shard, its copied record last.
func finishSuperseding(d disk.Dir, p Plan) error {
	shards, err := listShards(d, supersededName)
	if err != nil || len(shards) == 0 {
		return err
	}
	for _, s := range shards {
		committed, err := d.Exists(commitName(s))
		if err != nil {
			return err
		}
		if !committed {
			if err := dropFiles(d, p, s); err != nil {
				return err
			}
		}
		if err := d.Remove(supersededRecord(s)); err != nil {
			return err
		}
	}
	return d.FS.SyncDir(d.Path(supersededName))
}

func dropFiles(d disk.Dir, p Plan, s int) error {
	for _, table := range tables {
		name := p.dataName(table, s)
		if err := d.Remove(name); err != nil {
			return err
		}
		if err := d.SyncFolder(name); err != nil {
			return err
		}
	}
	return nil
}
