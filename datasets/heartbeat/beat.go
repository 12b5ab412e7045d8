package heartbeat

import (
	"regexp"
	"strings"
	"time"

	"selfplay/datasets/disk"
)

// Folder holds the heartbeats, relative to the dataset.
const Folder = disk.Hidden + "/runs"

// format is the version of the files.
const format = 1

// MaxInterval is the longest time between two beats of a live process.
const MaxInterval = 5 * time.Second

// The states of a process in its last beat.
const (
	Running = "running"
	Done    = "done"    // it made everything it had to make
	Stopped = "stopped" // it was asked to stop
	Failed  = "failed"  // Beat.Error says why
)

// Beat is the content of a heartbeat.
type Beat struct {
	Format int    `json:"format"`
	Owner  string `json:"-"` // of the lease; from the name of the file

	PID     int    `json:"pid"`
	Host    string `json:"host"`
	Machine string `json:"machine"` // see Machine
	Build   string `json:"build,omitempty"`

	// Tasks is the number of tasks that share the dataset, Task the index of this one. Both
	// are 0 for a process that makes the whole dataset.
	Task  int `json:"task"`
	Tasks int `json:"tasks"`

	State   string    `json:"state"`
	Error   string    `json:"error,omitempty"`
	Started time.Time `json:"started"`
	Time    time.Time `json:"time"` // of this beat
	Seq     uint64    `json:"seq"`  // 1 for the first beat, then one more each time

	Games     uint64  `json:"games"`       // that this process finished
	GamesPerS float64 `json:"games_per_s"` // over the last WindowS seconds; 0 if no game was finished
	WindowS   float64 `json:"window_s"`
}

// Ended reports whether the process said that it ends.
func (b *Beat) Ended() bool { return b.State != Running }

// name returns the name of the heartbeat of an owner, relative to the dataset.
func name(owner string) string { return Folder + "/" + owner + suffix }

const suffix = ".json"

// fileName matches the names of heartbeats in Folder.
var fileName = regexp.MustCompile(`^[0-9]+-[0-9a-z]+\.json$`)

// ownerOf is the inverse of name, for a name without folder.
func ownerOf(name string) (owner string, ok bool) {
	return strings.TrimSuffix(name, suffix), fileName.MatchString(name)
}
