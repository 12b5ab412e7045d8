package datasets

import (
	"context"
	"errors"
	"fmt"

	"selfplay/datasets/disk"
	"selfplay/encode"
	"selfplay/engine"
)

// Play plays games, whose numbers ascend. It calls finished, unless that is nil, with
// each record as soon as the game ends, in any order, and sink with each in game order,
// both from the goroutine that called Play. The record is theirs until they return.
// Play is called concurrently, once a shard, and returns their error, or the context's
// when that ends. An error that is ErrIncomplete means that it was asked to stop: no
// shard is begun any more, and the others that are under way end in the same way, each
// when it comes to its stop.
type Play func(ctx context.Context, games []uint64, finished, sink func(*engine.Record) error) error

// RowFunc appends the rows of a record to a table of Description.Columns, and adds to
// dropped how many it leaves out, one number for each part of Plan.Filter. It is a
// pure function of the record, used by one goroutine.
type RowFunc func(rec *engine.Record, t *encode.Table, dropped []uint64) error

// Options are what a run needs besides the plan. No byte outside .selfplay/
// depends on Check, Open, Build or Notify.
type Options struct {
	Play        Play
	Rows        func() RowFunc // one for each goroutine
	Description Description
	About       About  // used where the dataset is created
	Check       Check  // Full unless told
	Open        int    // shards open at once; 0 is GOMAXPROCS
	Build       string // of the program, for the commit records
	Task        Task
	NoJournal   bool // games cost nothing: those of an unfinished shard are not kept
	// MinFree is how many bytes of the disk must stay free; 0 for any, and Spare for
	// what is sensible on it. It is asked before each shard.
	MinFree uint64
	// Notify is told what happens, never two things at once. It must not block.
	Notify func(Event)

	disk disk.FS // for tests; nil is the machine's
}

// EventKind is what happened.
type EventKind uint8

const (
	// EventResumed comes once, first: Games and Rows that earlier runs have committed.
	EventResumed EventKind = 1
	// EventWritten: Rows of a table ("positions" or "games") went to disk.
	EventWritten EventKind = 2
	// EventCommitted: a shard with Games and Rows counts from now on.
	EventCommitted EventKind = 3
	// EventRecovered: Games of a shard were in the journals of earlier runs.
	EventRecovered EventKind = 4
)

// Event is one step of a run.
type Event struct {
	Kind  EventKind
	Shard int
	Table string
	Games uint64
	Rows  uint64
	Bytes int64
}

// Summary is what a run did and what is there now.
type Summary struct {
	PlanHash string
	Target   uint64 // games; more than asked for if more was there already
	Shards   int
	Games    uint64
	Rows     uint64
	Bytes    int64
	Made     int    // shards made by this run
	Kept     uint64 // games in the journals of unfinished shards, of a run that was stopped
}

// Make brings the dataset in root up to games games, creating it where there is
// none. The same call again resumes; committed shards are kept. It returns an
// error that is ErrIncomplete when ctx ends or Play was asked to stop, ErrNoSpace,
// ErrPlanMismatch, ErrLocked, ErrNondeterminism or ErrCorrupt as they say. The summary
// tells what is there with every error that comes once shards are being made; of an
// earlier one it has no Target.
func Make(ctx context.Context, root string, plan Plan, games uint64, o Options) (Summary, error) {
	if games == 0 {
		return Summary{}, fmt.Errorf("make dataset: no games")
	}
	if most := maxShards * uint64(plan.WithDefaults().ShardGames); games > most {
		return Summary{}, fmt.Errorf("make dataset: %d games: at most %d in %d shards", games, most, maxShards)
	}
	r, err := begin(root, plan, o)
	if err != nil {
		return Summary{}, noSpace(err)
	}
	defer r.lock.Release()
	if err := r.resume(games); err != nil {
		return Summary{PlanHash: r.h.hash}, noSpace(err)
	}
	err = r.makeShards(ctx)
	if stopped := errors.Is(err, ErrIncomplete); !o.Task.shared() && (err == nil || stopped) {
		if bad := r.finalize(); !stopped || !errors.Is(bad, ErrCorrupt) { // what it cannot tell yet, the last run will
			err = errors.Join(err, bad)
		}
	}
	s := r.summary()
	if errors.Is(err, ErrIncomplete) {
		var bad error
		s.Kept, bad = r.journaled()
		err = errors.Join(err, bad)
	}
	return s, noSpace(err)
}
