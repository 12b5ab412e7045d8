package status

import (
	"time"

	"selfplay/datasets"
)

// Task says what a task of a dataset has done, or the process that makes all of it.
type Task struct {
	Task  int    `json:"task"` // index
	State State  `json:"state"`
	Alive bool   `json:"alive"`
	By    string `json:"by,omitempty"` // how Alive is known: ByLock or ByHeartbeat; "" without a process

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

	Target     uint64 `json:"target"` // games
	Shards     int    `json:"shards"`
	ShardsDone int    `json:"shards_done"`
	Games      uint64 `json:"games"` // committed
	Journaled  uint64 `json:"journaled"`
	GamesDone  uint64 `json:"games_done"`
}

// taskCount returns the number of tasks: that of the newest live process, else of the newest
// one.
func taskCount(processes []process) int {
	if p := newest(processes); p != nil {
		return p.Tasks
	}
	return 0
}

// newest returns the process that was started last, the live ones first; nil if there is
// none.
func newest(processes []process) (best *process) {
	for i := range processes {
		p := &processes[i]
		if best == nil || p.alive && !best.alive || p.alive == best.alive && p.Started.After(best.Started) {
			best = p
		}
	}
	return best
}

// tasksOf returns the tasks of a dataset; without tasks, its last process, if there is one.
func tasksOf(n *datasets.Count, count int, processes []process) []Task {
	if count == 0 && len(processes) == 0 {
		return nil
	}
	of := make([][]process, max(count, 1))
	for _, p := range processes {
		if p.Tasks == count {
			of[p.Task] = append(of[p.Task], p)
		}
	}
	tasks := make([]Task, len(of))
	for i := range tasks {
		tasks[i].Task = i
	}
	for s, shard := range n.Shards {
		tasks[s%len(tasks)].addShard(shard)
	}
	for i := range tasks {
		tasks[i].addProcess(newest(of[i]))
	}
	return tasks
}

func (t *Task) addShard(s datasets.ShardCount) {
	t.Target += s.Games
	t.Shards++
	t.Games += s.Committed
	t.Journaled += s.Journaled
	t.GamesDone = t.Games + t.Journaled
	if s.Committed == s.Games {
		t.ShardsDone++
	}
}

// addProcess adds the last process of the task, which may be nil, and the state.
func (t *Task) addProcess(p *process) {
	t.State = Unfinished
	if p != nil {
		t.State, t.Alive, t.By = p.state(), p.alive, p.by
		t.PID, t.Host, t.Started, t.Heartbeat = p.PID, p.Host, &p.Started, seconds(p.age)
		t.Error, t.Silent = p.Error, p.alive && p.age > maxAge
	}
	if t.Alive {
		t.GamesPerS, t.RateWindow = round(p.GamesPerS), round(p.WindowS)
	} else if t.ShardsDone == t.Shards {
		t.State, t.Error = Done, ""
	}
}
