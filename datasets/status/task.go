package status

import (
	"time"

	"selfplay/datasets/disk"
	"selfplay/datasets/record"
)

// maxAge is the age of the oldest heartbeat of a live process on another machine. A client
// of a network file system may see a new file only after a minute.
const maxAge = 90 * time.Second

// How it is known whether a process is alive.
const (
	ByLock      = "lock"      // of its lease, which the system drops when the process dies
	ByHeartbeat = "heartbeat" // by its age: the lock cannot be tested from this machine
)

// Task says what a task of a dataset has done, or the process that makes all of it: a Beat as another process judges
// it, and the games in its shards. Another process may have made some of these.
type Task struct {
	Task  int    `json:"task"` // index
	State State  `json:"state"`
	Alive bool   `json:"alive"`
	By    string `json:"by,omitempty"` // how Alive is known: lock or heartbeat; "" without a process

	// The last process of the task. Without one they are zero.
	PID        int        `json:"pid,omitempty"`
	Host       string     `json:"host,omitempty"`
	Started    *time.Time `json:"started,omitempty"`
	Heartbeat  *int64     `json:"heartbeat_s,omitempty"` // age of its heartbeat
	Silent     bool       `json:"silent,omitempty"`      // it is alive, but its heartbeat is old
	Error      string     `json:"error,omitempty"`       // of a process that failed or was stopped
	GamesPerS  float64    `json:"games_per_s"`           // 0 unless it is alive
	RateWindow float64    `json:"rate_window_s"`         // the time that GamesPerS was measured over
	ETA        *int64     `json:"eta_s,omitempty"`

	Finished

	tasks int // among which the process has its index
}

// judge returns the task of a process, and decides whether it is alive. A lease that is held or gone
// is proof on every machine. A lease that looks free proves something only on the machine of
// its process: some network file systems keep locks to each machine.
func judge(b *Beat, lease disk.LeaseState, age time.Duration) Task {
	t := Task{
		Task: b.task(), tasks: b.TaskCount, PID: b.PID, Host: b.Host, Started: &b.Started,
		By: ByLock, Alive: lease == disk.LeaseHeld, Heartbeat: seconds(age), Error: b.Error,
	}
	here := lease == disk.LeaseFree && b.Machine == machine && machine != ""
	if !t.Alive && lease != disk.LeaseGone && !here {
		t.By, t.Alive = ByHeartbeat, !b.Ended() && age <= maxAge
	}
	t.State = b.State
	switch {
	case t.Alive:
		t.State, t.Silent = Running, age > maxAge
		t.GamesPerS, t.RateWindow = round(b.GamesPerS), round(b.WindowS)
	case !b.Ended():
		t.State = Killed
	case b.State != Failed && b.State != Stopped: // it was done with a smaller target
		t.State = Unfinished
	}
	return t
}

// newest returns the process that was started last, the live ones first; nil if there is
// none.
func newest(processes []Task) (best *Task) {
	for i := range processes {
		p := &processes[i]
		if best == nil || p.Alive && !best.Alive || p.Alive == best.Alive && p.Started.After(*best.Started) {
			best = p
		}
	}
	return best
}

// tasksOf returns the tasks of a dataset, whose number is that of the newest process; without
// tasks, its last process, if there is one.
func tasksOf(n *record.Count, processes []Task) (count int, tasks []Task) {
	last := newest(processes)
	if last == nil {
		return 0, nil
	}
	of := make([][]Task, max(last.tasks, 1))
	for _, p := range processes {
		if p.tasks == last.tasks {
			of[p.Task] = append(of[p.Task], p)
		}
	}
	for i := range of {
		t := Task{Task: i, State: Unfinished}
		if p := newest(of[i]); p != nil {
			t = *p
		}
		for s := i; s < len(n.ByShard); s += len(of) {
			t.add(n.ByShard[s])
		}
		if !t.Alive && t.ShardsDone == t.Shards {
			t.State, t.Error = Done, ""
		}
		tasks = append(tasks, t)
	}
	return last.tasks, tasks
}

// sighting is a heartbeat as it was when a watcher last saw it.
type sighting struct {
	seq uint64
	age time.Duration
	at  time.Time
}

// processes returns the processes with a heartbeat as tasks without counts, and the number of
// those that hold a lease without one.
func (w *Watcher) processes(now time.Time) (list []Task, others int, err error) {
	beats, err := readBeats(w.d)
	if err != nil {
		return nil, 0, err
	}
	seen, leases := map[string]sighting{}, map[string]bool{}
	for _, b := range beats {
		leases[b.Owner] = true
		lease := disk.ProbeLease(w.d, b.Owner)
		// A process says how it ended before it releases its lease. So if the lease is not held,
		// the last beat has been written.
		if lease != disk.LeaseHeld {
			b, err = readBeat(w.d, b.Owner)
			if err != nil {
				return nil, 0, err
			}
			if b == nil { // the dataset is complete, or another process took over
				continue
			}
		}
		s := w.sight(b, now)
		seen[b.Owner] = s
		list = append(list, judge(b, lease, s.age))
	}
	w.seen = seen
	owners, err := disk.LeaseOwners(w.d)
	for _, owner := range owners {
		if !leases[owner] && disk.ProbeLease(w.d, owner) == disk.LeaseHeld {
			others++
		}
	}
	return list, others, err
}

// sight determines the age of a heartbeat. At first it compares the clocks of two machines.
// After that it needs only its own clock: a new beat is at most as old as the last look.
func (w *Watcher) sight(b *Beat, now time.Time) sighting {
	last, found := w.seen[b.Owner]
	s := sighting{b.Seq, max(0, now.Sub(b.Updated)), now}
	since := now.Sub(last.at)
	switch {
	case found && b.Seq == last.seq:
		s.age = last.age + since
	case found:
		s.age = min(s.age, since)
	}
	return s
}
