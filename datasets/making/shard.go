package making

import (
	"context"

	"selfplay/datasets/journal"
	"selfplay/datasets/plan"
	"selfplay/datasets/record"
)

// make makes shard s of games games from first, including its commit record. short is the record of the shard
// with fewer games, nil if there is none. The result is the record that counts.
func (m *shardMaker) make(ctx context.Context, short *record.Commit, s int, first, games uint64) (*record.Commit, error) {
	if m.h.Plan.Approximate() {
		return m.makeApproximate(func() (*record.Commit, error) { return m.makeOnce(ctx, short, s, first, games) })
	}
	return m.makeOnce(ctx, short, s, first, games)
}

// makeOnce makes the shard in one try.
func (m *shardMaker) makeOnce(ctx context.Context, short *record.Commit, s int, first, games uint64) (*record.Commit, error) {
	o, err := m.open(s, first, games)
	if err != nil {
		return nil, err
	}
	defer o.abandon()
	if short != nil {
		if err := o.extend(short); err != nil {
			return nil, err
		}
	}
	if err := o.collect(ctx); err != nil {
		return nil, err
	}
	if err := o.finish(); err != nil {
		return nil, err
	}
	if m.recheck != nil {
		if err := m.recheck(ctx); err != nil {
			return nil, changedModel(err)
		}
	}
	c, err := o.publish()
	if err != nil {
		return nil, err
	}
	if m.journaled {
		_ = journal.Drop(m.d, s) // the next run sweeps journals of committed shards
	}
	return c, nil
}

// open creates the temporary files of a shard.
func (m *shardMaker) open(s int, first, games uint64) (*openShard, error) {
	p := m.h.Plan
	o := &openShard{m: m, results: record.ResultCounts{}, dropped: make([]uint64, len(p.Filter)), next: first, splits: p.Splits()}
	o.commit = &record.Commit{Format: plan.FormatVersion, Plan: m.h.Hash, Shard: s, FirstGame: first, Games: games, Build: m.build}
	for i, part := range p.Parts(s, games) {
		o.parts = append(o.parts, &openPart{Part: part, tables: m.tablesOf(i)})
	}
	for _, part := range o.parts {
		if err := part.create(m, s, games); err != nil {
			o.abandon()
			return nil, err
		}
	}
	return o, nil
}

// abandon removes the temporary files that are not published.
func (o *openShard) abandon() {
	for _, part := range o.parts {
		for _, f := range part.files {
			if f != nil {
				f.abandon()
			}
		}
	}
}

// finish completes and checks all files, and the commit record.
func (o *openShard) finish() error {
	for _, part := range o.parts {
		for i := range part.files {
			entry, err := o.finishFile(part, i)
			if err != nil {
				return err
			}
			o.commit.Files = append(o.commit.Files, entry)
		}
		o.commit.Rows += o.commit.Files[len(o.commit.Files)-2].Rows
	}
	o.commit.Results = o.results.List()
	o.commit.Dropped = record.DroppedRows(o.m.h.Plan, o.dropped)
	return nil
}

// finishFile completes and checks file i of a part.
func (o *openShard) finishFile(part *openPart, i int) (record.FileEntry, error) {
	if err := o.flush(part, i, 1); err != nil {
		return record.FileEntry{}, err
	}
	f := part.files[i]
	entry, err := f.finish()
	if err == nil {
		err = o.m.check.Check(o.m.d, f.tmp, f.spec, entry)
	}
	return entry, err
}

// publish gives all files their final names and then writes the commit record; it returns the one that counts. A
// kill in between leaves files without a record, with which the next run compares its own. Games come before
// positions: see approximate.go.
func (o *openShard) publish() (*record.Commit, error) {
	end := o.commit.FirstGame + o.commit.Games
	if err := checkBelowTarget(o.m.d, end); err != nil {
		return nil, err
	}
	for _, file := range []int{plan.GamesFile, plan.PositionsFile} {
		for i, part := range o.parts {
			f := part.files[file]
			if err := f.publish(o.commit.Files[2*i+file]); err != nil {
				return nil, err
			}
			if err := o.m.d.SyncFolder(f.name); err != nil {
				return nil, f.fail("publish", err)
			}
		}
	}
	c, err := record.Write(o.m.d, o.commit, o.m.h, o.extends)
	if err != nil {
		return nil, err
	}
	return c, keepBelowTarget(o.m.d, end)
}
