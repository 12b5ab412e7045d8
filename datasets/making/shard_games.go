package making

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"

	"selfplay/datasets"
	"selfplay/datasets/colfile"
	"selfplay/datasets/disk"
	"selfplay/datasets/gamerow"
	"selfplay/datasets/internal/fault"
	"selfplay/datasets/journal"
	"selfplay/datasets/plan"
	"selfplay/datasets/record"
	"selfplay/datasets/status"
	"selfplay/encode"
	"selfplay/engine"
)

// gamesBatch is the number of games in a record batch of an Arrow file. Batches hold whole
// games, so they depend on the plan alone.
const gamesBatch = 256

// A Parquet file does not depend on its batches. Small ones are still in the processor's
// cache when they are encoded, and an open shard takes less memory.
const (
	parquetRows  = 512
	parquetGames = 32
)

// batchRows returns the rows after which a table is written to its file.
func batchRows(format string) [2]int {
	if format == plan.Parquet {
		return [2]int{plan.PositionsFile: parquetRows, plan.GamesFile: parquetGames}
	}
	return [2]int{plan.PositionsFile: colfile.BatchRows, plan.GamesFile: gamesBatch}
}

// extend adds the games of a shorter shard as they are.
func (o *openShard) extend(short *record.Commit) error {
	for r, err := range datasets.New(o.m.d, o.m.file).Games(short.Parts()...) {
		if err == nil {
			err = o.add(r)
		}
		if err != nil {
			return err
		}
	}
	if kept := o.next - o.commit.FirstGame; kept != short.Games {
		return fault.Corrupt("%d games, want %d", kept, short.Games)
	}
	o.extends = true
	if !o.m.again {
		o.m.notify(status.Event{Kind: status.EventExtended, Shard: short.Shard, Games: short.Games, Missing: o.commit.Games - short.Games})
	}
	return nil
}

// collect adds all other games of the shard: it takes finished ones from the journals of earlier
// runs and plays the others.
func (o *openShard) collect(ctx context.Context) error {
	end := o.commit.FirstGame + o.commit.Games
	if err := o.recover(end); err != nil {
		return err
	}
	missing := o.missing(end)
	if missing == nil {
		return nil
	}
	var kept engine.Journal
	if o.m.journaled {
		kept = o
	}
	err := o.m.play(ctx, missing, kept, o.take)
	if err == nil && o.next != end {
		err = fmt.Errorf("play: the games end at %d, want %d", o.next, end)
	}
	journalErr := o.closeJournal(err == nil)
	if journalErr != nil && (errors.Is(err, fault.ErrIncomplete) || ctx.Err() != nil) {
		return journalErr // a write error outranks the stop request
	}
	return errors.Join(err, journalErr)
}

// recover reads the journals of the shard. They may hold games beyond end, if the target
// is smaller than in the run that wrote them.
func (o *openShard) recover(end uint64) (err error) {
	o.recovered = map[uint64]*engine.Record{}
	switch {
	case o.m.file.Plan.Approximate():
		err = o.recoverApproximate(end)
	case o.m.journaled:
		err = o.addJournaled(end)
	}
	if err != nil {
		return err
	}
	if n := len(o.recovered); !o.m.again && (n > 0 || len(o.underWay) > 0) {
		o.m.notify(status.Event{Kind: status.EventRecovered, Shard: o.commit.Shard, Games: uint64(n), UnderWay: uint64(len(o.underWay))})
	}
	return o.addRecovered()
}

// addJournaled recovers games from journals. Those of two makers may differ in an approximate plan.
func (o *openShard) addJournaled(end uint64) error {
	games, err := journal.Read(o.m.d, o.commit.Plan, o.commit.Shard, o.next, end, o.m.file.Plan.Approximate())
	if err == nil {
		o.recovered, o.underWay = games.Finished, games.UnderWay
	}
	return err
}

// missing returns the games up to end that must be played.
func (o *openShard) missing(end uint64) (games []uint64) {
	for game := o.next; game < end; game++ {
		if o.recovered[game] == nil {
			games = append(games, game)
		}
	}
	return games
}

// journalSync is the interval between syncs of a journal. Tests change it.
var journalSync = journal.SyncInterval

// Resume, Keep and Finish make an open shard the engine.Journal of its games.

// Resume returns what journals of earlier runs have of a game under way.
func (o *openShard) Resume(r *engine.Record) (*engine.Unfinished, error) {
	u := o.underWay[r.Game]
	if u == nil || u.Agrees(r) {
		return u, nil
	}
	return nil, fmt.Errorf("%w: game %d has another opening in a journal", fault.ErrNondeterminism, r.Game)
}

// Keep writes new decisions of a game under way to the journal.
func (o *openShard) Keep(r *engine.Record, src *rand.PCG) error {
	return o.write(func() error { return o.journal.AddDecisions(r, src) })
}

// Finish writes a finished game to the journal.
func (o *openShard) Finish(r *engine.Record) error {
	o.m.played.Add(1)
	return o.write(func() error { return o.journal.Add(r) })
}

// write calls add, which writes to the journal. Workers and the goroutine of the shard do so in turn.
func (o *openShard) write(add func() error) (err error) {
	o.writing.Lock()
	defer o.writing.Unlock()
	if o.journal == nil {
		o.journal, err = journal.Create(o.m.d, o.commit.Plan, o.commit.Shard, journalSync)
		if err != nil {
			return err
		}
	}
	return add()
}

// closeJournal closes the journal, if there is one. If the shard is incomplete, the
// journal is synced: it is all that remains of the games.
func (o *openShard) closeJournal(complete bool) error {
	j := o.journal
	if j == nil {
		return nil
	}
	o.journal = nil
	if complete {
		return j.Close()
	}
	return j.Keep()
}

// take is the sink callback of Play.
func (o *openShard) take(r *engine.Record) error {
	if !o.m.journaled {
		o.m.played.Add(1)
	}
	if err := o.add(r); err != nil {
		return err
	}
	return o.addRecovered()
}

// addRecovered adds recovered games as long as the next game is one of them.
func (o *openShard) addRecovered() error {
	for r := o.recovered[o.next]; r != nil; r = o.recovered[o.next] {
		delete(o.recovered, o.next)
		if err := o.add(r); err != nil {
			return err
		}
	}
	return nil
}

// add adds the next game to the shard.
func (o *openShard) add(r *engine.Record) error {
	if r.Game != o.next {
		return fmt.Errorf("play: game %d, want %d", r.Game, o.next)
	}
	o.next++
	o.results.Add(r.Outcome)
	part := o.partOf(r.Game)
	gamerow.Append(part.tables[plan.GamesFile], r)
	if err := o.m.rows(r, part.tables[plan.PositionsFile], o.dropped); err != nil {
		return fmt.Errorf("game %d: %w", r.Game, err)
	}
	for file, rows := range o.m.batch {
		if err := o.flush(part, file, rows); err != nil {
			return err
		}
	}
	return nil
}

// partOf returns the part that a game belongs to.
func (o *openShard) partOf(game uint64) *openPart {
	if len(o.parts) == 2 && o.splits.Validation(game) {
		return o.parts[1]
	}
	return o.parts[0]
}

// flush writes a table of a part to its file if it has at least the given number of rows.
func (o *openShard) flush(part *openPart, file, rows int) error {
	t := part.tables[file]
	if t.Rows < rows {
		return nil
	}
	if err := part.files[file].write(t); err != nil {
		return err
	}
	o.m.notify(status.Event{Kind: status.EventWritten, Shard: o.commit.Shard, Table: plan.Tables[file], Rows: uint64(t.Rows)})
	t.Reset()
	return nil
}

// shardMaker makes shards, one after the other. Each goroutine has its own.
type shardMaker struct {
	d         disk.Dir
	file      *plan.File
	play      datasets.Play
	rows      datasets.RowFunc
	check     record.CheckLevel
	build     string
	journaled bool
	notify    func(status.Event)
	played    *atomic.Uint64              // games that Play finished, in all shards
	recheck   func(context.Context) error // of the models; may be nil
	again     bool                        // the shard is made again (approximate.go), and its events have been sent

	batch  [2]int              // rows after which a table is written
	tables [2][2]*encode.Table // of both parts: rows that are not written yet
}

// tablesOf returns the tables of part i of a shard, empty.
func (m *shardMaker) tablesOf(i int) [2]*encode.Table {
	if m.tables[i][0] == nil {
		m.tables[i] = [2]*encode.Table{
			plan.PositionsFile: encode.NewTable(m.file.Description.Columns),
			plan.GamesFile:     encode.NewTable(m.file.Plan.GameColumns()),
		}
	}
	for _, t := range m.tables[i] {
		t.Reset()
	}
	return m.tables[i]
}

// openPart is a part of a shard that is being made.
type openPart struct {
	plan.Part
	files  [2]*dataFile
	tables [2]*encode.Table
}

// create creates the temporary files of the part.
func (p *openPart) create(m *shardMaker, s int, games uint64) (err error) {
	for i, table := range plan.Tables {
		name := m.file.Plan.DataName(table, p.Split, s, games)
		p.files[i], err = createDataFile(m.d, name, m.file.Spec(table, s, p.Part))
		if err != nil {
			return err
		}
	}
	return nil
}

// openShard is a shard that is being made.
type openShard struct {
	m         *shardMaker
	commit    *record.Commit
	parts     []*openPart
	splits    plan.Splits
	results   record.ResultCounts
	dropped   []uint64                      // rows, by part of the filter
	extends   bool                          // a shorter shard, whose games it has
	next      uint64                        // the next game to add
	recovered map[uint64]*engine.Record     // games from journals, not added yet
	underWay  map[uint64]*engine.Unfinished // games from journals that go on; never changed
	writing   sync.Mutex                    // of the journal
	journal   *journal.Writer               // nil before there is anything to write
}
