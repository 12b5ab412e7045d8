package status

import (
	"maps"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"selfplay/datasets"
	"selfplay/datasets/plan"
	"selfplay/datasets/record"
	"selfplay/encode"
	"selfplay/engine"
)

// Run says how far a run is, as its own process knows it: what its heartbeat and --status-file hold and run --json
// prints. The metrics and the task in a Status follow from it. Scripts read its members: add some, rename none. Totals
// without another word are those of the dataset.
type Run struct {
	State     State     `json:"state"`
	ExitCode  *int      `json:"exit_code"` // null while the run works
	Error     string    `json:"error,omitempty"`
	Game      string    `json:"game"`
	PlanHash  string    `json:"plan_hash"`
	Seed      uint64    `json:"seed,string"`
	Out       string    `json:"out"` // absolute, or a URL
	PID       int       `json:"pid"`
	TaskCount int       `json:"task_count,omitempty"`
	TaskIndex *int      `json:"task_index,omitempty"`
	Started   time.Time `json:"started"`
	Updated   time.Time `json:"updated"`
	ElapsedS  float64   `json:"elapsed_s"`
	ETA       *int64    `json:"eta_s"` // null if unknown

	Asked      uint64 `json:"-"` // games; the target is larger if the dataset has more
	ShardGames uint64 `json:"-"`
	Finished          // in shards, and in the journals that this run has found or written
	Rows       uint64 `json:"rows"` // committed, as Bytes
	Bytes      int64  `json:"bytes"`

	// This run.
	GamesNew   uint64        `json:"games_new"`  // committed
	RowsNew    uint64        `json:"rows_new"`   // committed
	ShardsNew  int           `json:"shards_new"` // committed
	Share      uint64        `json:"-"`          // games of its shards: all of them without tasks
	Missing    uint64        `json:"games_missing"`
	Recovered  uint64        `json:"games_recovered"` // found in journals of earlier runs
	Played     uint64        `json:"games_played"`
	Plies      uint64        `json:"plies_played"`       // those of unfinished games included, where a decision takes long
	RowsMade   uint64        `json:"rows_made"`          // committed or in an open shard
	Searches   uint64        `json:"decisions_searched"` // in the games of RowsMade
	Nodes      uint64        `json:"nodes_searched"`
	LastCommit time.Time     `json:"last_commit,omitzero"`
	Failures   int           `json:"failures"` // games that panicked
	Workers    int           `json:"workers"`
	Busy       int           `json:"workers_busy"`
	WorkerTime time.Duration `json:"-"` // of finished games

	Models    []Model `json:"models,omitempty"` // that players ask
	PliesPerS float64 `json:"plies_per_s"`
	RowsPerS  float64 `json:"rows_per_s"`
	GamesPerH float64 `json:"games_per_h"`

	// Known only after the run.
	Complete     *bool                `json:"complete,omitempty"`        // the dataset
	OwnJournaled uint64               `json:"games_journaled,omitempty"` // of the shards of this run
	Splits       []record.SplitTotals `json:"splits,omitempty"`
	Dropped      []record.Dropped     `json:"dropped,omitempty"`
	Endings      []Ending             `json:"endings,omitempty"` // the most common first

	elapsed   time.Duration
	replayed  uint64         // plies of the games of RowsMade, those of journals included
	journaled map[int]uint64 // the part of Recovered that each shard has
}

// Ending is a result with its reason, and the number of games that ended so.
type Ending struct {
	Name  string `json:"ending"`
	Games uint64 `json:"games"`
}

// Begun reports whether the dataset is locked and its shards are known. Before that, another
// run may own the files that this one would write.
func (r *Run) Begun() bool { return r.Shards > 0 }

// ToPlay returns the number of games that this run plays: the missing ones that are in no journal.
func (r *Run) ToPlay() uint64 { return r.Missing - min(r.Missing, r.Recovered) }

// ShareDone returns how many games of the shards of this run are finished.
func (r *Run) ShareDone() uint64 {
	return min(r.Share, r.Share-min(r.Share, r.Missing)+r.Recovered+r.Played)
}

// MeanNodes returns the nodes of a decision that was searched, 0 without any. It may be a multiple
// of the nodes that a player was given: it finishes what it has begun.
func (r *Run) MeanNodes() float64 { return float64(r.Nodes) / float64(max(r.Searches, 1)) }

// PerSecond returns n per second of the run.
func (r *Run) PerSecond(n uint64) float64 { return perSecond(n, r.elapsed) }

// rowsPerSecond returns the rows per second of the plies that this run played, those of unfinished games included. A ply
// counts by the average rows of the games that have rows: those of games in journals and in short shards take no time.
func (r *Run) rowsPerSecond() float64 {
	if r.replayed == 0 {
		return r.PerSecond(r.RowsMade)
	}
	return r.PerSecond(r.Plies) * float64(r.RowsMade) / float64(r.replayed)
}

// Model says how much a model of the user was asked. If its evaluators are busy nearly all the time, the games
// wait for them; else they wait for the games.
type Model struct {
	Name         string  `json:"name"`
	Evaluations  uint64  `json:"evaluations"`
	PerS         float64 `json:"evaluations_per_s"`
	Batch        int     `json:"batch"`
	MeanBatch    float64 `json:"mean_batch"`
	FullBatch    float64 `json:"mean_batch_before_last_games"` // 0 if there were never enough games
	Evaluators   int     `json:"evaluators"`
	Busy         float64 `json:"busy"`            // share of the time in which an evaluator has a batch
	EvaluatorCPU float64 `json:"evaluator_cpu_s"` // as the evaluators report it

	Batches  uint64        `json:"-"`
	BusyTime time.Duration `json:"-"` // of all evaluators

	// Those until the last moment at which every worker had a game.
	FullEvaluations, FullBatches uint64 `json:"-"`
}

// measure sets rates of a run that has taken a time.
func (m *Model) measure(elapsed time.Duration) {
	m.PerS = tenths(perSecond(m.Evaluations, elapsed))
	m.MeanBatch = tenths(float64(m.Evaluations) / float64(max(m.Batches, 1)))
	m.FullBatch = tenths(float64(m.FullEvaluations) / float64(max(m.FullBatches, 1)))
	m.Busy = round(m.BusyTime.Seconds() / (elapsed.Seconds() * float64(max(m.Evaluators, 1))))
}

// Measure sets the finished games, the speed and the time left, of a run that has taken a time.
func (r *Run) Measure(elapsed time.Duration) {
	finished := r.Games - r.GamesNew + r.Recovered + r.Played
	r.setJournaled(finished - min(finished, r.Games))
	r.elapsed, r.ElapsedS = elapsed, elapsed.Seconds()
	r.PliesPerS, r.RowsPerS, r.GamesPerH = tenths(r.PerSecond(r.Plies)), tenths(r.rowsPerSecond()), tenths(3600*r.PerSecond(r.Played))
	for i := range r.Models {
		r.Models[i].measure(elapsed)
	}
	r.ETA = nil
	if left := r.ToPlay(); r.Played > 0 && r.Played <= left {
		r.ETA = timeLeft(left-r.Played, r.PerSecond(r.Played))
	}
}

// EventKind says what happened.
type EventKind uint8

// The kinds of event.
const (
	// EventResumed comes first, once: earlier runs committed Games with Rows and Bytes, in Shards complete shards and in
	// short ones. The dataset will have Target games. Share of them belong to the shards of this run. Of those, Missing games
	// are not committed, but Journaled of them are finished.
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
	Journaled       map[int]uint64   // by shard
	NoJournals      map[string]error // what has the name of a journal and is none; the run goes on without it
	PlanRestored    bool             // plan.json was damaged, missing or of another dataset, and is written again
}

// take adds an event of the dataset.
func (r *Run) take(e Event) {
	switch e.Kind {
	case EventResumed:
		size := max(r.ShardGames, 1)
		shards := int((e.Target + size - 1) / size)
		r.Counts = record.Counts{Target: e.Target, Shards: shards, ShardsDone: e.Shards, Games: e.Games}
		r.Rows, r.Bytes, r.Missing, r.Share = e.Rows, e.Bytes, e.Missing, e.Share
		r.Recovered, r.journaled = plan.Total(e.Journaled), maps.Clone(e.Journaled)
	case EventWritten, EventExtended: // count when they are committed
	case EventRecovered: // they are known since the start, unless another process wrote them since
		r.Recovered += e.Games - r.journaled[e.Shard]
		delete(r.journaled, e.Shard)
	case EventCommitted:
		r.Games, r.Rows, r.Bytes, r.ShardsDone = r.Games+e.Games, r.Rows+e.Rows, r.Bytes+e.Bytes, r.ShardsDone+1
		r.GamesNew, r.RowsNew, r.ShardsNew = r.GamesNew+e.Games, r.RowsNew+e.Rows, r.ShardsNew+1
		r.LastCommit = now()
	}
}

// Tracker follows a run in its own process. Several goroutines may use it.
type Tracker struct {
	began time.Time
	rows  atomic.Uint64 // made by this run
	plies atomic.Uint64 // of the games of these rows

	searches, nodes atomic.Uint64 // of the games of these rows

	mu   sync.Mutex
	run  Run
	fill func(*Run) // sets what the games under way change; nil before Follow
}

// Track begins to follow a run of this process that makes a number of games.
func Track(games uint64) *Tracker {
	t := &Tracker{began: time.Now(), run: Run{State: Running, PID: os.Getpid(), Started: now()}}
	t.Expect(games)
	return t
}

// Expect sets the number of games to make, until an event of a dataset says how many of them are
// missing.
func (t *Tracker) Expect(games uint64) {
	t.Set(func(r *Run) { r.Asked, r.Target, r.Share, r.Missing = games, games, games, games })
}

// now returns the time with whole milliseconds, in UTC.
func now() time.Time { return time.Now().UTC().Truncate(time.Millisecond) }

// Set changes facts of the run.
func (t *Tracker) Set(change func(*Run)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	change(&t.run)
}

// Follow calls fill for each look at the run. It sets what the games under way change.
func (t *Tracker) Follow(fill func(*Run)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.fill = fill
}

// Notify takes an event of the dataset. It is the Notify of Options.
func (t *Tracker) Notify(e Event) { t.Set(func(r *Run) { r.take(e) }) }

// Look returns the run now.
func (t *Tracker) Look() Run {
	t.mu.Lock()
	defer t.mu.Unlock()
	r := &t.run
	if r.ExitCode != nil { // nothing changes any more
		return *r
	}
	r.RowsMade, r.replayed, r.Updated = t.rows.Load(), t.plies.Load(), now()
	r.Searches, r.Nodes = t.searches.Load(), t.nodes.Load()
	if t.fill != nil {
		t.fill(r)
	}
	r.Measure(time.Since(t.began).Truncate(time.Millisecond))
	return *r
}

// CountRows returns row functions that count the rows that they make, and the searches of their
// games.
func (t *Tracker) CountRows(rowFuncs func() datasets.RowFunc) func() datasets.RowFunc {
	return func() datasets.RowFunc {
		appendRows := rowFuncs()
		return func(r *engine.Record, table *encode.Table, dropped []uint64) error {
			before := table.Rows
			err := appendRows(r, table, dropped)
			t.rows.Add(uint64(table.Rows - before))
			t.plies.Add(uint64(len(r.Actions)))
			t.countSearches(r)
			return err
		}
	}
}

// countSearches counts the decisions of a game that come from a search, and their nodes.
func (t *Tracker) countSearches(r *engine.Record) {
	var searches, nodes uint64
	for _, n := range r.Nodes {
		if n > 0 {
			searches, nodes = searches+1, nodes+uint64(n)
		}
	}
	t.searches.Add(searches)
	t.nodes.Add(nodes)
}
