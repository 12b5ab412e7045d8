package program

import (
	"math"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"selfplay/datasets"
	"selfplay/encode"
	"selfplay/engine"
	"selfplay/workers"
)

// tracker follows a run for those who watch it: --json, --status-file, --metrics and the
// last log event. Several goroutines may use it.
type tracker struct {
	rows atomic.Uint64 // made by this run

	mu    sync.Mutex
	state runState
	begun bool // the dataset is locked and its shards are known
	pool  *workers.Pool

	shardGames uint64
}

func newTracker(j *job, hash string) *tracker {
	t := &tracker{shardGames: uint64(j.plan.ShardGames)}
	s := &t.state
	s.State, s.Game, s.PlanHash, s.Seed, s.Out = stateRunning, j.plan.Game, hash, j.plan.Seed, absolute(j.out)
	s.PID, s.Started, s.Target, s.Workers = os.Getpid(), now(), j.games, j.workers
	if j.task.Count > 0 {
		s.TaskCount, s.TaskIndex = j.task.Count, &j.task.Index
	}
	return t
}

// now returns the time with whole milliseconds, in UTC.
func now() time.Time { return time.Now().UTC().Truncate(time.Millisecond) }

// notify takes an event of the dataset.
func (t *tracker) notify(e datasets.Event) {
	t.mu.Lock()
	defer t.mu.Unlock()
	s := &t.state
	switch e.Kind {
	case datasets.EventResumed:
		t.begun = true
		s.Shards = int((e.Target + t.shardGames - 1) / t.shardGames)
		s.Target, s.Missing, s.Games, s.Rows, s.Bytes, s.ShardsDone = e.Target, e.Missing, e.Games, e.Rows, e.Bytes, e.Shards
	case datasets.EventRecovered:
		s.Recovered += e.Games
	case datasets.EventCommitted:
		s.Games, s.Rows, s.Bytes, s.ShardsDone = s.Games+e.Games, s.Rows+e.Rows, s.Bytes+e.Bytes, s.ShardsDone+1
		s.GamesNew, s.RowsNew, s.ShardsNew = s.GamesNew+e.Games, s.RowsNew+e.Rows, s.ShardsNew+1
		s.LastCommit = now()
	}
}

// tenths rounds to one decimal.
func tenths(x float64) float64 { return math.Round(10*x) / 10 }

// follow takes numbers from a pool until the pool is closed.
func (t *tracker) follow(pool *workers.Pool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.pool = pool
}

// stopping notes that no new game begins.
func (t *tracker) stopping() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.state.State = stateStopping
}

// hasBegun reports whether the dataset is locked. Before that, another run may own the files
// that this one would write.
func (t *tracker) hasBegun() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.begun
}

// current returns the state of the run now.
func (t *tracker) current() runState {
	t.mu.Lock()
	defer t.mu.Unlock()
	s := &t.state
	s.RowsMade = t.rows.Load()
	if t.pool != nil {
		s.Played, s.Plies = t.pool.Progress()
		s.Busy, s.workerTime = t.pool.Busy(), t.pool.Timing().Total
	}
	s.Updated = now()
	elapsed := s.Updated.Sub(s.Started)
	s.ElapsedS = elapsed.Seconds()
	s.PliesPerS, s.RowsPerS, s.GamesPerH = tenths(rate(s.Plies, elapsed)), tenths(rate(s.RowsMade, elapsed)), tenths(3600*rate(s.Played, elapsed))
	s.EtaS = nil
	if toPlay := s.Missing - min(s.Missing, s.Recovered); s.Played > 0 && s.Played <= toPlay {
		eta := math.Round(s.ElapsedS * float64(toPlay-s.Played) / float64(s.Played))
		s.EtaS = &eta
	}
	return *s
}

// finish returns the state after the run, which ended with err and an exit code. whole also
// reads what only the dataset knows.
func (t *tracker) finish(out string, made datasets.Summary, err error, code int, whole bool) runState {
	s := t.current()
	s.setOutcome(err, code)
	if whole && t.hasBegun() {
		s.setDataset(out, made)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.state, t.pool = s, nil
	return s
}

// counted returns row functions that count the rows that they make.
func (t *tracker) counted(rowFuncs func() datasets.RowFunc) func() datasets.RowFunc {
	return func() datasets.RowFunc {
		appendRows := rowFuncs()
		return func(r *engine.Record, table *encode.Table, dropped []uint64) error {
			before := table.Rows
			err := appendRows(r, table, dropped)
			t.rows.Add(uint64(table.Rows - before))
			return err
		}
	}
}
