// Package status says how the making of a dataset is getting on, from another process or
// another machine that shares the file system. It reads only what is on disk: commit
// records, journals, leases and heartbeats. It writes nothing and never takes the lock.
//
// Machines that share an object store share only the commit records.
//
//	status.go   Status, and Watcher, which looks again and again
//	process.go  which processes are alive, and how that is known
//	task.go     what each task has done
//	speed.go    the time that is left
//	failures.go games that panicked
package status

import (
	"time"

	"selfplay/datasets"
	"selfplay/datasets/disk"
	"selfplay/datasets/heartbeat"
)

// State is the state of a dataset or of one of its tasks.
type State string

// The states.
const (
	Running    State = "running"    // a process works on it
	Done       State = "done"       // all games are committed, and no process is at work
	Failed     State = "failed"     // the last process ended with an error
	Killed     State = "killed"     // the last process ended without a word
	Stopped    State = "stopped"    // the last process was asked to stop
	Unfinished State = "unfinished" // games are missing, and no process has left a heartbeat
)

// Status says how the making of a dataset is getting on. Ages and times left are in seconds.
// A pointer is nil where the value is unknown.
type Status struct {
	Game     string `json:"game"`
	PlanHash string `json:"plan_hash"`
	State    State  `json:"state"`
	Alive    bool   `json:"alive"`    // a process works on the dataset
	Complete bool   `json:"complete"` // State is Done, and card and manifest are up to date

	Target     uint64 `json:"target"` // games; 0 if unknown
	Shards     int    `json:"shards"`
	ShardsDone int    `json:"shards_done"`
	Games      uint64 `json:"games"`      // committed
	Journaled  uint64 `json:"journaled"`  // finished, in journals of unfinished shards
	GamesDone  uint64 `json:"games_done"` // both
	Rows       uint64 `json:"rows"`       // committed, as Bytes
	Bytes      int64  `json:"bytes"`

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
	census *datasets.Census
	seen   map[string]sighting // of heartbeats, by owner
	first  *look
}

// look is what a watcher saw at first.
type look struct {
	at    time.Time
	games uint64 // committed
}

// sinceFirst returns the games that were committed since the first look, and the time since then.
func (w *Watcher) sinceFirst(games uint64, now time.Time) (more uint64, d time.Duration) {
	if w.first == nil {
		w.first = &look{now, games}
	}
	return games - min(games, w.first.games), now.Sub(w.first.at)
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
	if s.Failures, err = readFailures(w.d); err != nil {
		return nil, err
	}
	s.addTasks(&count, processes)
	s.addSpeed()
	s.addPace(w.sinceFirst(s.Games, now))
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
func (s *Status) addCount(n *datasets.Count, now time.Time) {
	s.Target, s.Shards, s.Rows, s.Bytes = n.Target, len(n.Shards), n.Rows, n.Bytes
	for _, shard := range n.Shards {
		s.Games += shard.Committed
		s.Journaled += shard.Journaled
		if shard.Committed == shard.Games {
			s.ShardsDone++
		}
	}
	s.GamesDone = s.Games + s.Journaled
	if !n.LastCommit.IsZero() {
		s.LastCommit = seconds(now.Sub(n.LastCommit))
	}
}

// addTasks adds the tasks, and what follows from them for the whole dataset.
func (s *Status) addTasks(n *datasets.Count, processes []process) {
	s.TaskCount = taskCount(processes)
	s.Tasks = append(s.Tasks, tasksOf(n, s.TaskCount, processes)...)
	for i := range s.Tasks {
		if s.Tasks[i].State == Failed {
			s.Failures.Processes++
		}
	}
	s.Alive = s.Others > 0
	for _, p := range processes {
		s.Alive = s.Alive || p.alive
	}
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
		for _, t := range tasks {
			if t.State == state {
				return state
			}
		}
	}
	return Unfinished
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

// seconds returns a duration in whole seconds, at least 0: clocks of machines differ.
func seconds(d time.Duration) *int64 {
	n := max(0, int64(d.Round(time.Second)/time.Second))
	return &n
}

// machine is the machine of this process. Tests change it.
var machine = heartbeat.Machine()
