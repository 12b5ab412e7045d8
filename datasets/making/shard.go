package making

import (
	"context"

	"selfplay/datasets/journal"
	"selfplay/datasets/plan"
	"selfplay/datasets/record"
	"selfplay/encode"
)

// make makes shard s of games games from first, including its commit record.
func (m *shardMaker) make(ctx context.Context, s int, first, games uint64) (*record.Commit, error) {
	o, err := m.open(s, first, games)
	if err != nil {
		return nil, err
	}
	defer o.abandon()
	if err := o.collect(ctx); err != nil {
		return nil, err
	}
	if err := o.finish(); err != nil {
		return nil, err
	}
	if err := o.publish(); err != nil {
		return nil, err
	}
	if m.journaled {
		_ = journal.Drop(m.d, s) // the next run sweeps journals of committed shards
	}
	return o.commit, nil
}

// open creates the temporary files of a shard.
func (m *shardMaker) open(s int, first, games uint64) (*openShard, error) {
	o := &openShard{m: m, results: record.ResultCounts{}, dropped: make([]uint64, len(m.h.Plan.Filter)), next: first}
	o.commit = &record.Commit{
		Format: plan.FormatVersion, Plan: m.h.Hash, Shard: s, Split: m.h.Plan.Split(s),
		FirstGame: first, Games: games, Build: m.build,
	}
	m.positions.Reset()
	m.games.Reset()
	for i, table := range record.Tables {
		f, err := createDataFile(m.d, m.h.Plan.DataName(table, s), m.h.Spec(table, s, first, games))
		if err != nil {
			o.abandon()
			return nil, err
		}
		o.files[i] = f
	}
	return o, nil
}

// abandon removes the temporary files that are not published.
func (o *openShard) abandon() {
	for _, f := range o.files {
		if f != nil {
			f.abandon()
		}
	}
}

// finish completes and checks both files, and the commit record.
func (o *openShard) finish() error {
	for i, t := range []*encode.Table{o.m.positions, o.m.games} {
		if err := o.flush(i, t, 1); err != nil {
			return err
		}
		f := o.files[i]
		entry, err := f.finish()
		if err != nil {
			return err
		}
		if err := o.m.check.Check(o.m.d, f.tmp, f.spec, entry); err != nil {
			return err
		}
		o.commit.Files[i] = entry
	}
	o.commit.Rows = o.commit.Files[record.PositionsFile].Rows
	o.commit.Results = o.results.List()
	o.commit.Dropped = record.DroppedRows(o.m.h.Plan, o.dropped)
	return nil
}

// publish gives both files their final names and then writes the commit record. A kill in
// between leaves files without a record, with which the next run compares its own.
func (o *openShard) publish() error {
	end := o.commit.FirstGame + o.commit.Games
	if err := checkBelowTarget(o.m.d, end); err != nil {
		return err
	}
	for i, f := range o.files {
		if err := f.publish(o.commit.Files[i]); err != nil {
			return err
		}
		if err := o.m.d.SyncFolder(f.name); err != nil {
			return f.fail("publish", err)
		}
	}
	if err := record.Write(o.m.d, o.commit, o.m.h); err != nil {
		return err
	}
	return keepBelowTarget(o.m.d, end)
}
