package status

import (
	"os"
	"sync"
	"sync/atomic"
	"time"

	"selfplay/datasets"
	"selfplay/datasets/making"
	"selfplay/encode"
	"selfplay/engine"
)

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

// Notify takes an event of the dataset. It is the Notify of making.Options.
func (t *Tracker) Notify(e making.Event) { t.Set(func(r *Run) { r.take(e) }) }

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
