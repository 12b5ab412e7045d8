// Package heartbeat writes and reads small files with the state of each process that makes a
// dataset. They are for people and for monitoring, also on other machines that share the
// file system. No byte of a dataset depends on them.
//
// Each process replaces its file .selfplay/runs/<owner>.json every few seconds, where
// owner is the owner of its lease (package disk). The file is replaced by a rename, so a
// reader sees a whole one. It is not synced: after a power cut it may be empty. An error
// of the disk is ignored: the next beat tries again, and the heartbeat looks old meanwhile.
// Writers use the operating system directly, as locks do, and no disk.FS.
//
// At its end a process writes a last beat that says how it ended ([Stopped], [Failed],
// [Done]). A process that is killed leaves its last beat. These files stay until the next
// process of the same task begins, or until a dataset is complete.
//
// Times are those of the clock of the writer. [Beat.Seq] grows with each beat, so that a
// reader that looks twice needs no clock of another machine.
//
//	beat.go    Beat: the content of a file
//	read.go    reading and removing files
//	writer.go  Writer: the heartbeat of this process, and its speed
package heartbeat

import (
	"cmp"
	"os"
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

// State is the state of a process in its last beat.
type State string

// The states.
const (
	Running State = "running"
	Done    State = "done"    // it made everything it had to make
	Stopped State = "stopped" // it was asked to stop
	Failed  State = "failed"  // Beat.Error says why
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

	State   State     `json:"state"`
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

// bootID is a file of Linux with a random text that changes with each boot. All containers
// of a machine read the same one.
const bootID = "/proc/sys/kernel/random/boot_id"

// Machine returns a text that two processes share if one kernel manages the locks of both:
// the boot id, or the name of the host where there is none. The text is "" if neither is
// known.
func Machine() string {
	id, _ := disk.ReadRegular(bootID, 4096)
	host, _ := os.Hostname()
	return cmp.Or(strings.TrimSpace(string(id)), host)
}
