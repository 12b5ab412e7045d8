package datasets

import (
	"context"
	"errors"
	"fmt"

	"selfplay/datasets/colfile"
	"selfplay/datasets/disk"
	"selfplay/datasets/journal"
	"selfplay/encode"
	"selfplay/engine"
)

// A table is written whenever it has this many rows. Batches are whole games, so
// they are a function of the plan too: the record batches of Arrow files.
const gamesBatch = 256

// shardMaker makes one shard after the other. Each goroutine has its own.
type shardMaker struct {
	d      disk.Dir
	h      *header
	play   Play
	rows   RowFunc
	check  Check
	build  string
	keep   bool // a journal of the games
	notify func(Event)

	positions *encode.Table
	games     *encode.Table
}

// openShard is a shard that is being made.
type openShard struct {
	m       *shardMaker
	commit  *Commit
	files   [2]*dataFile
	results results
	dropped []uint64                  // rows, by part of the filter
	next    uint64                    // game
	held    map[uint64]*engine.Record // games that earlier runs have finished, from next on
	journal *journal.Writer           // of the games that this one has, nil before the first
}

// make makes shard s of games games from first, up to its commit record.
func (m *shardMaker) make(ctx context.Context, s int, first, games uint64) (*Commit, error) {
	o, err := m.open(s, first, games)
	if err != nil {
		return nil, err
	}
	defer o.abandon()
	for _, step := range []func() error{func() error { return o.collect(ctx) }, o.finish, o.publish} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	if m.keep {
		journal.Drop(m.d, s) // what stays is swept by the next run
	}
	return o.commit, nil
}

// collect takes the games that earlier runs have finished from their journals, and
// lets the others be played.
func (o *openShard) collect(ctx context.Context) error {
	end := o.commit.FirstGame + o.commit.Games
	if err := o.recover(end); err != nil {
		return err
	}
	var missing []uint64
	for game := o.next; game < end; game++ {
		if o.held[game] == nil {
			missing = append(missing, game)
		}
	}
	if missing == nil {
		return nil
	}
	finished := o.keep
	if !o.m.keep {
		finished = nil
	}
	err := o.m.play(ctx, missing, finished, o.take)
	if err == nil && o.next != end {
		err = fmt.Errorf("play: the games end at %d, want %d", o.next, end)
	}
	lost := o.closeJournal(err == nil)
	if lost != nil && (errors.Is(err, ErrIncomplete) || ctx.Err() != nil) {
		return lost // which is more than to be stopped
	}
	return errors.Join(err, lost)
}

// recover reads the journals of the shard. A smaller target may want fewer games than
// they have.
func (o *openShard) recover(end uint64) (err error) {
	if !o.m.keep {
		return nil
	}
	if o.held, err = journal.Read(o.m.d, o.commit.Plan, o.commit.Shard, o.next, end); err != nil {
		return err
	}
	if n := len(o.held); n > 0 {
		o.m.notify(Event{Kind: EventRecovered, Shard: o.commit.Shard, Games: uint64(n)})
	}
	return o.addHeld()
}

// journalSync is the interval between syncs of a journal. Tests change it.
var journalSync = journal.SyncInterval

// keep writes a game that is finished to the journal: it is never played again.
func (o *openShard) keep(r *engine.Record) (err error) {
	if o.journal == nil {
		if o.journal, err = journal.Create(o.m.d, o.commit.Plan, o.commit.Shard, journalSync); err != nil {
			return err
		}
	}
	return o.journal.Add(r)
}

// take is the sink of Play.
func (o *openShard) take(r *engine.Record) error {
	if err := o.add(r); err != nil {
		return err
	}
	return o.addHeld()
}

// addHeld adds the games of earlier runs whose turn it is.
func (o *openShard) addHeld() error {
	for r := o.held[o.next]; r != nil; r = o.held[o.next] {
		delete(o.held, o.next)
		if err := o.add(r); err != nil {
			return err
		}
	}
	return nil
}

// closeJournal ends the journal, if there is one. Unless the shard is about to be
// finished it is all that stays of the games.
func (o *openShard) closeJournal(done bool) error {
	j := o.journal
	if j == nil {
		return nil
	}
	o.journal = nil
	if done {
		return j.Close()
	}
	return j.Keep()
}

func (m *shardMaker) open(s int, first, games uint64) (*openShard, error) {
	o := &openShard{m: m, results: results{}, dropped: make([]uint64, len(m.h.plan.Filter)), next: first}
	o.commit = &Commit{
		Format: FormatVersion, Plan: m.h.hash, Shard: s, Split: m.h.plan.split(s),
		FirstGame: first, Games: games, Build: m.build,
	}
	m.positions.Reset()
	m.games.Reset()
	for i, table := range tables {
		f, err := createDataFile(m.d, m.h.plan.dataName(table, s), m.h.spec(table, s, first, games))
		if err != nil {
			o.abandon()
			return nil, err
		}
		o.files[i] = f
	}
	return o, nil
}

// abandon removes whatever of the shard is not published.
func (o *openShard) abandon() {
	for _, f := range o.files {
		if f != nil {
			f.abandon()
		}
	}
}

// add makes a game part of the shard.
func (o *openShard) add(r *engine.Record) error {
	if r.Game != o.next {
		return fmt.Errorf("play: game %d, want %d", r.Game, o.next)
	}
	o.next++
	o.results[[2]uint8{uint8(r.Outcome.Result), uint8(r.Outcome.Reason)}]++
	AppendGame(o.m.games, r)
	if err := o.m.rows(r, o.m.positions, o.dropped); err != nil {
		return fmt.Errorf("game %d: %w", r.Game, err)
	}
	if err := o.flush(positionsFile, o.m.positions, colfile.BatchRows); err != nil {
		return err
	}
	return o.flush(gamesFile, o.m.games, gamesBatch)
}

// flush writes a table that has at least so many rows.
func (o *openShard) flush(file int, t *encode.Table, rows int) error {
	if t.Rows < rows {
		return nil
	}
	if err := o.files[file].write(t); err != nil {
		return err
	}
	o.m.notify(Event{Kind: EventWritten, Shard: o.commit.Shard, Table: tables[file], Rows: uint64(t.Rows)})
	t.Reset()
	return nil
}

// finish completes and checks both files.
func (o *openShard) finish() error {
	for i, t := range []*encode.Table{o.m.positions, o.m.games} {
		if err := o.flush(i, t, 1); err != nil {
			return err
		}
		f := o.files[i]
		digest, err := f.finish()
		if err != nil {
			return err
		}
		if err := o.m.check.check(o.m.d, f.tmp, f.spec, digest); err != nil {
			return err
		}
		o.commit.Files[i] = digest
	}
	o.commit.Rows = o.commit.Files[positionsFile].Rows
	o.commit.Results = o.results.counts()
	o.commit.Dropped = o.m.h.plan.dropped(o.dropped)
	return nil
}

// publish gives both files their names and then writes the record that makes them
// count. What has happened before a kill is safe at every point: files without a
// record are compared with when the shard is made again.
func (o *openShard) publish() error {
	for i, f := range o.files {
		if err := f.publish(o.commit.Files[i]); err != nil {
			return err
		}
		if err := o.m.d.SyncFolder(f.name); err != nil {
			return f.fail("publish", err)
		}
	}
	return writeCommit(o.m.d, o.commit, o.m.h)
}
