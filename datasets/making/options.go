package making

import (
	"context"

	"selfplay/datasets"
	"selfplay/datasets/disk"
	"selfplay/datasets/plan"
	"selfplay/datasets/record"
)

// Options are the inputs of a run besides the plan. Check, Open, Build and Notify affect
// no byte outside .selfplay/. Make does not change Options; the functions in it must not
// change while Make runs.
type Options struct {
	Play        datasets.Play
	Rows        func() datasets.RowFunc // returns a new RowFunc for a goroutine
	Description plan.Description
	About       plan.About        // used only when the dataset is created
	Check       record.CheckLevel // of new data files; CheckFull by default
	Answers     []record.Answers  // of approximate models of the plan, to fixed positions
	// Recheck, if it is set, asks the models of the players again before a shard is committed, and when the run is
	// stopped. If they have changed, it returns ErrNondeterminism: the games since the last check are discarded with
	// their journals. Several goroutines call it.
	Recheck    func(context.Context) error
	Networks   [][]byte // files of networks; those that the plan names are copied to the dataset
	OpenShards int      // shards made at once; 0 means GOMAXPROCS
	// AwaitIdle, if it is set, waits until Play has handed out all games of the open shards and can play more.
	// Shards then begin one by one, however many are open, and OpenShards does not count. It returns
	// false when its context ends.
	AwaitIdle func(ctx context.Context) bool
	Build     string // version of the program, for the commit records
	Task      Task   // the part of this process; the zero Task is everything
	NoJournal bool   // set it if games are cheap to get again: they are not journaled

	// Rebuild makes all shards of a dataset that was copied without .selfplay/ again, and
	// compares them with its files. Otherwise such a dataset is ErrNoRecords.
	Rebuild bool

	// MinFree is the number of bytes that must stay free on the disk: 0 for no limit,
	// DefaultMinFree for a value that fits the disk. It is checked before each shard.
	MinFree uint64

	// Notify receives the events of the run. Calls come from several goroutines, but
	// never two at once. It must not block. It may be nil.
	Notify func(Event)

	Disk disk.FS // nil means that of the root; tests replace it
}

// EventKind says what happened.
type EventKind uint8

// The kinds of event.
const (
	// EventResumed comes first, once: Games with Rows and Bytes were committed by
	// earlier runs, in Shards that are complete and in short ones. The dataset will have Target games. The shards of this run have Share of
	// them, of which Missing are not committed; Journaled of the missing ones are finished.
	EventResumed EventKind = 1
	// EventWritten: Rows of a table ("positions" or "games") were passed to its file.
	EventWritten EventKind = 2
	// EventCommitted: a shard with Games and Rows was committed; of one that was extended, those that are new.
	EventCommitted EventKind = 3
	// EventRecovered: Games of a shard were found in the journals of earlier runs, finished or UnderWay.
	EventRecovered EventKind = 4
	// EventExtended: Games of a short shard were taken as they are; Missing ones follow.
	EventExtended EventKind = 5
)

// Event is one step of a run. Fields that do not apply to its kind are zero.
type Event struct {
	Kind  EventKind
	Shard int
	Table string
	Games uint64
	Rows  uint64
	Bytes int64

	UnderWay uint64 // of EventRecovered: games that go on from a ply

	Shards          int    // of EventResumed, like the fields below
	Target, Missing uint64 // Missing also of EventExtended
	Share           uint64
	Journaled       map[int]uint64 // by shard
}

// Summary says what a run did and what the dataset contains now.
type Summary struct {
	PlanHash string
	Target   uint64 // games; larger than requested if more were committed already
	record.Totals
	Made      int    // shards that this run made
	Journaled uint64 // games in journals of unfinished shards; set if the run was stopped
}

// Task is the part of one process among several that make a dataset together. Task{i, n}
// makes the shards s with s mod n == i. Writing derived files is
// left to Finalize. The zero Task makes all shards. A task may be run twice, even at the
// same time.
type Task struct{ Index, Count int }

// shared reports whether the task shares the dataset with others.
func (t Task) shared() bool { return t.Count > 0 }

// has reports whether the task makes shard s.
func (t Task) has(s int) bool { return t.Count == 0 || s%t.Count == t.Index }
