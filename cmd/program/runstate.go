package program

import (
	"errors"
	"path/filepath"
	"time"

	"selfplay/datasets"
	"selfplay/datasets/disk"
	"selfplay/workers"
)

// The states of a run.
const (
	stateRunning  = "running"
	stateStopping = "stopping" // no new game begins
	stateDone     = "done"     // all games are made; of a task, its games
	stateStopped  = "stopped"  // before the end; the same command resumes
	stateFailed   = "failed"
)

// runState is what run --json prints and --status-file holds. Scripts read its members: add
// some, rename none. Totals without another word are those of the dataset.
type runState struct {
	State     string    `json:"state"`
	ExitCode  *int      `json:"exit_code"` // null while the run works
	Error     string    `json:"error,omitempty"`
	Game      string    `json:"game"`
	PlanHash  string    `json:"plan_hash"`
	Seed      uint64    `json:"seed"`
	Out       string    `json:"out"` // absolute, or a URL
	PID       int       `json:"pid"`
	TaskCount int       `json:"task_count,omitempty"`
	TaskIndex *int      `json:"task_index,omitempty"`
	Started   time.Time `json:"started"`
	Updated   time.Time `json:"updated"`
	ElapsedS  float64   `json:"elapsed_s"`
	EtaS      *float64  `json:"eta_s"` // null if unknown

	Target     uint64 `json:"target"` // games
	Games      uint64 `json:"games"`  // committed, like the totals below
	Shards     int    `json:"shards"` // of the target
	ShardsDone int    `json:"shards_done"`
	Rows       uint64 `json:"rows"`
	Bytes      int64  `json:"bytes"`

	// This run.
	GamesNew   uint64    `json:"games_new"`  // committed
	RowsNew    uint64    `json:"rows_new"`   // committed
	ShardsNew  int       `json:"shards_new"` // committed
	Missing    uint64    `json:"games_missing"`
	Recovered  uint64    `json:"games_recovered"` // found in journals of earlier runs
	Played     uint64    `json:"games_played"`
	Plies      uint64    `json:"plies_played"`
	RowsMade   uint64    `json:"rows_made"` // committed or in an open shard
	LastCommit time.Time `json:"last_commit,omitzero"`
	Failures   int       `json:"failures"` // games that panicked
	Workers    int       `json:"workers"`
	Busy       int       `json:"workers_busy"`
	PliesPerS  float64   `json:"plies_per_s"`
	RowsPerS   float64   `json:"rows_per_s"`
	GamesPerH  float64   `json:"games_per_h"`

	// Known only after the run.
	Complete  *bool                  `json:"complete,omitempty"` // the dataset
	Journaled uint64                 `json:"games_journaled,omitempty"`
	Splits    []datasets.SplitTotals `json:"splits,omitempty"`
	Dropped   []datasets.Dropped     `json:"dropped,omitempty"`
	Endings   []ending               `json:"endings,omitempty"` // the most common first

	workerTime time.Duration // of finished games
}

// setOutcome sets how the run ended.
func (s *runState) setOutcome(err error, code int) {
	s.ExitCode, s.State, s.EtaS = &code, stateDone, nil
	if err == nil {
		return
	}
	s.Error, s.State = err.Error(), stateFailed
	if errors.Is(err, datasets.ErrIncomplete) {
		s.State = stateStopped
	}
	if panicked := (*workers.PanicError)(nil); errors.As(err, &panicked) {
		s.Failures++
	}
}

// setDataset sets the totals that the dataset has after the run. What cannot be read stays as
// the run counted it; verify explains why.
func (s *runState) setDataset(out string, made datasets.Summary) {
	s.Journaled = made.Journaled
	ds, err := datasets.Open(out)
	if err != nil {
		return
	}
	info, err := ds.Info()
	if err != nil {
		return
	}
	s.Complete, s.Target, s.Games, s.Rows, s.Bytes = &info.Complete, info.Target, info.Games, info.Rows, info.Bytes
	s.Shards, s.ShardsDone, s.Splits, s.Dropped = info.Shards, info.ShardsDone, info.Splits, info.Dropped
	s.Endings, _ = endingsOf(ds)
}

// attributes returns the members of the final log event.
func (s *runState) attributes() []any {
	list := []any{
		"state", s.State, "exit_code", *s.ExitCode, "games", s.Games, "of", s.Target, "games_new", s.GamesNew,
		"rows", s.Rows, "rows_new", s.RowsNew, "shards", s.ShardsDone, "bytes", s.Bytes,
		"elapsed", (time.Duration(s.ElapsedS * float64(time.Second))).Round(time.Millisecond).String(),
	}
	if s.Failures > 0 {
		list = append(list, "failures", s.Failures)
	}
	return append(list, "out", s.Out)
}

// absolute returns the absolute form of a path, or the path itself if the working directory
// is unknown or it is a URL.
func absolute(path string) string {
	if disk.IsURL(path) {
		return path
	}
	if full, err := filepath.Abs(path); err == nil {
		return full
	}
	return path
}
