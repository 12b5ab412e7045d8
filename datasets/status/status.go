// Package status is the state of a run that makes a dataset: how many games are asked for, committed and journaled, how
// fast it is, how long it takes, and whether it is alive. A [Run] is that state as the process of the run knows it, by
// its events. A [Status] is the state as another process or machine sees it. No byte of a dataset depends on them.
//
// A [Watcher] reads only what is on disk: commit records, journals, leases and heartbeats. It writes nothing and never
// takes the lock. Machines that share an object store share only the commit records.
//
// # Heartbeats
//
// Each process that makes a dataset replaces its file .selfplay/runs/<owner>.json every few seconds, where owner is the
// owner of its lease (package disk). It holds a [Beat]: the Run, and what tells others whether the process lives. The
// file is replaced by a rename, so a reader sees a whole one. It is not synced: after a power cut it may be empty. An
// error of the disk is ignored: the next beat tries again, and the heartbeat looks old meanwhile. Heartbeats use the
// operating system directly, as locks do, and no disk.FS.
//
// At its end a process writes a last beat that says how it ended ([Stopped], [Failed], [Done]). A process that is killed
// leaves its last beat. These files stay until the next process of the same task begins, or until a dataset is complete.
//
// Times are those of the clock of the writer. [Beat.Seq] grows with each beat, so that a reader that looks twice needs
// no clock of another machine.
package status

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"math"
	"slices"
	"time"

	"selfplay/datasets"
	"selfplay/datasets/disk"
	"selfplay/datasets/plan"
	"selfplay/datasets/record"
)

// State is the state of a dataset, of one of its tasks, or of a run.
type State string

// The states. A run is never Killed or Unfinished in its own eyes.
const (
	Running    State = "running"
	Done       State = "done"       // all games are committed, and no process is at work; of a run, it made its games
	Failed     State = "failed"     // the last process ended with an error
	Stopped    State = "stopped"    // the last process was asked to stop
	Killed     State = "killed"     // the last process ended without a word
	Unfinished State = "unfinished" // games are missing, and no process has left a heartbeat
	Stopping   State = "stopping"   // of a run: no new game begins
)

// Status says how the making of a dataset is getting on, for those who do not run it: what they see on disk, and the
// last beats of its processes. Ages and times left are in seconds.
// A pointer is nil where the value is unknown.
type Status struct {
	Game     string `json:"game"`
	PlanHash string `json:"plan_hash"`
	State    State  `json:"state"`
	Alive    bool   `json:"alive"`    // a process works on the dataset
	Complete bool   `json:"complete"` // State is done, and card and manifest are up to date

	Finished
	Rows  uint64 `json:"rows"` // committed, as Bytes
	Bytes int64  `json:"bytes"`

	GamesPerS  float64 `json:"games_per_s"`             // of all processes that are alive; see also addPace
	ETA        *int64  `json:"eta_s,omitempty"`         // nil also if the work of a task waits for a process
	LastCommit *int64  `json:"last_commit_s,omitempty"` // age of the newest commit record

	// Store says that the dataset lies in an object store. Processes, journals and failures are then
	// those of this machine, which are all that can be seen of them.
	Store bool `json:"store,omitempty"`

	DiskFree    *uint64  `json:"disk_free,omitempty"`    // bytes; nil in a store
	DiskNeeded  *uint64  `json:"disk_needed,omitempty"`  // expected bytes of the missing games; nil in a store
	ScratchFree *uint64  `json:"scratch_free,omitempty"` // of a store, if this machine has a scratch folder for it
	Failures    Failures `json:"failures"`

	// TaskCount is the number of tasks that share the dataset, 0 without tasks. Tasks has one
	// element for each of them; without tasks, one for the last process of the dataset, if it
	// has left a heartbeat.
	TaskCount int    `json:"task_count"`
	Tasks     []Task `json:"tasks"`

	// Others is the number of processes that have locked the dataset but write no heartbeat:
	// a run that is starting or ending, finalize or repair.
	Others int `json:"other_processes"`
}

// A Watcher looks at a dataset again and again. One goroutine may use it at a time.
type Watcher struct {
	d      disk.Dir
	ds     *datasets.Dataset
	census *record.Census
	seen   map[string]sighting // of heartbeats, by owner

	since  time.Time // of the first look
	before uint64    // games that were committed then
}

// Open returns a watcher of the dataset in root. For errors see datasets.Open.
func Open(root string) (*Watcher, error) {
	ds, err := datasets.Open(root)
	if err != nil {
		return nil, err
	}
	d, err := disk.At(root)
	if err != nil {
		return nil, err
	}
	return &Watcher{d: d, ds: ds, census: ds.Census(), seen: map[string]sighting{}}, nil
}

// Look returns the status now.
//
// It looks at the processes before it counts the games. So a dataset is not called killed
// if its last process ended in between, having made the last shard.
func (w *Watcher) Look() (*Status, error) {
	now := time.Now()
	processes, others, err := w.processes(now)
	if err != nil {
		return nil, err
	}
	count, err := w.census.Count()
	if err != nil {
		return nil, err
	}
	s := &Status{Store: w.d.IsStore(), Game: w.ds.Plan().Game, PlanHash: w.ds.PlanHash(), Others: others, Tasks: []Task{}}
	s.addCount(&count, now)
	s.Failures, err = readFailures(w.d)
	if err != nil {
		return nil, err
	}
	s.addTasks(&count, processes)
	s.addSpeed()
	w.addPace(s, now)
	s.addDisk(w.d)
	if s.State == Done {
		info, err := w.ds.Info()
		if err != nil {
			return nil, err
		}
		s.Complete = info.Complete
	}
	return s, nil
}

// addCount adds the totals of a census.
func (s *Status) addCount(n *record.Count, now time.Time) {
	for _, shard := range n.ByShard {
		s.add(shard)
	}
	s.Target, s.Rows, s.Bytes = n.Target, n.Rows, n.Bytes
	if !n.LastCommit.IsZero() {
		s.LastCommit = seconds(now.Sub(n.LastCommit))
	}
}

// addTasks adds the tasks, and what follows from them for the whole dataset.
func (s *Status) addTasks(n *record.Count, processes []Task) {
	count, tasks := tasksOf(n, processes)
	s.TaskCount, s.Tasks = count, append(s.Tasks, tasks...)
	for _, t := range s.Tasks {
		if t.State == Failed {
			s.Failures.Processes++
		}
	}
	alive := func(p Task) bool { return p.Alive }
	s.Alive = s.Others > 0 || slices.ContainsFunc(processes, alive)
	switch {
	case s.Alive:
		s.State = Running
	case s.Target > 0 && s.ShardsDone == s.Shards:
		s.State = Done
	default:
		s.State = worst(s.Tasks)
	}
}

// worst returns the state of an unfinished dataset whose processes have all ended.
func worst(tasks []Task) State {
	for _, state := range []State{Failed, Killed, Stopped} {
		if slices.ContainsFunc(tasks, func(t Task) bool { return t.State == state }) {
			return state
		}
	}
	return Unfinished
}

// addSpeed adds the rate and the time left. Each task has shards of its own, so the slowest
// task decides. The time left is unknown while the work of a task waits for a process.
func (s *Status) addSpeed() {
	var slowest int64
	known := s.Alive
	for i := range s.Tasks {
		t := &s.Tasks[i]
		s.GamesPerS += t.GamesPerS
		t.ETA = timeLeft(t.missing(), t.GamesPerS)
		if t.ETA == nil {
			known = false
			continue
		}
		slowest = max(slowest, *t.ETA)
	}
	s.GamesPerS = round(s.GamesPerS)
	if known && len(s.Tasks) > 0 {
		s.ETA = &slowest
	}
}

// addPace replaces rate and time left of a dataset in a store, where only commits show what other
// machines do, by those since the first look. Without any commit, the rate of this machine stays.
func (w *Watcher) addPace(s *Status, now time.Time) {
	if w.since.IsZero() {
		w.since, w.before = now, s.Games
	}
	if !s.Store || s.Games <= w.before || !now.After(w.since) {
		return
	}
	s.GamesPerS = round(perSecond(s.Games-w.before, now.Sub(w.since)))
	s.ETA = timeLeft(s.Target-min(s.Target, s.Games), s.GamesPerS)
}

// addDisk adds what is free on the disk and what the missing games are expected to take.
func (s *Status) addDisk(d disk.Dir) {
	free, _, ok := d.FS.Space(d.Root)
	switch {
	case ok && s.Store:
		s.ScratchFree = &free
	case ok:
		s.DiskFree = &free
	}
	if s.Store {
		return
	}
	if s.Games > 0 && s.Target >= s.Games {
		needed := uint64(float64(s.Bytes) / float64(s.Games) * float64(s.Target-s.Games))
		s.DiskNeeded = &needed
	}
}

// machine is the machine of this process. Tests change it.
var machine = Machine()

// Failures says what went wrong.
type Failures struct {
	Panics    int     `json:"panics"`              // games that panicked, in all runs: lines of failures.jsonl
	LastGame  *uint64 `json:"last_game,omitempty"` // the game that panicked last
	Processes int     `json:"processes"`           // tasks whose last process failed; see Task.Error
}

// maxFailures is the size in bytes of the largest failures.jsonl that is read.
const maxFailures = 64 << 20

// readFailures counts the games that panicked. A file that is damaged counts by its lines.
func readFailures(d disk.Dir) (f Failures, err error) {
	data, err := d.ReadFileUpTo(plan.FailuresName, maxFailures)
	if errors.Is(err, fs.ErrNotExist) {
		return f, nil
	}
	if err != nil {
		return f, &datasets.FileError{Op: "read", Path: plan.FailuresName, Err: err}
	}
	for line := range bytes.Lines(data) {
		f.Panics++
		var failure struct {
			Game *uint64 `json:"game"`
		}
		if json.Unmarshal(line, &failure) == nil && failure.Game != nil {
			f.LastGame = failure.Game
		}
	}
	return f, nil
}

// Finished adds the games in journals, for those who watch a run. A finished game is committed or journaled, never both.
type Finished struct {
	record.Counts
	Journaled uint64 `json:"journaled"`  // finished, in journals of unfinished shards
	GamesDone uint64 `json:"games_done"` // both
}

// add adds a shard.
func (f *Finished) add(s record.ShardCount) {
	f.Target += s.Games
	f.Shards++
	f.Games += s.Committed
	f.setJournaled(f.Journaled + s.Journaled)
	if s.Committed == s.Games {
		f.ShardsDone++
	}
}

// setJournaled sets the number of games in journals.
func (f *Finished) setJournaled(games uint64) { f.Journaled, f.GamesDone = games, f.Games+games }

// missing returns the number of games that are not finished.
func (f *Finished) missing() uint64 { return f.Target - min(f.Target, f.GamesDone) }

// timeLeft returns the time for a number of games in seconds, nil if it is unknown.
func timeLeft(games uint64, perS float64) *int64 {
	if games == 0 {
		return new(int64)
	}
	left := float64(games) / perS
	if perS <= 0 || left > math.MaxInt64/float64(time.Second) {
		return nil
	}
	return seconds(time.Duration(left * float64(time.Second)))
}

// round rounds a measured number to six decimals.
func round(v float64) float64 { return math.Round(v*1e6) / 1e6 }

// perSecond returns n per second.
func perSecond(n uint64, d time.Duration) float64 {
	return float64(n) / max(d, time.Microsecond).Seconds()
}

// tenths rounds to one decimal.
func tenths(v float64) float64 { return math.Round(10*v) / 10 }

// seconds returns a duration in whole seconds, at least 0: clocks of machines differ.
func seconds(d time.Duration) *int64 {
	n := max(0, int64(d.Round(time.Second)/time.Second))
	return &n
}
