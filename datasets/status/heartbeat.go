package status

import (
	"cmp"
	"encoding/json"
	"errors"
	"os"
	"regexp"
	"strings"
	"time"

	"selfplay/datasets/disk"
	"selfplay/datasets/internal/fault"
	"selfplay/datasets/plan"
	"selfplay/internal/goroutine"
)

// beatFormat is the version of the files.
const beatFormat = 1

// MaxInterval is the longest time between two beats of a live process.
const MaxInterval = 5 * time.Second

// Beat is the content of a heartbeat: the run as its process knew it, and what tells others whether that lives.
type Beat struct {
	Format int    `json:"format"`
	Owner  string `json:"-"` // of the lease; from the name of the file

	Host    string `json:"host"`
	Machine string `json:"machine"` // the same for processes whose locks one kernel manages
	Build   string `json:"build,omitempty"`
	Seq     uint64 `json:"seq"` // 1 for the first beat, then one more each time

	GamesPerS float64 `json:"games_per_s"` // over the last WindowS seconds; 0 if no game was finished
	WindowS   float64 `json:"window_s"`

	Run // Updated is the time of the beat
}

// Ended reports whether the process said that it ends.
func (b *Beat) Ended() bool { return b.State != Running && b.State != Stopping }

// task returns the index of the task of the process, 0 if it makes the whole dataset.
func (b *Beat) task() int {
	if b.TaskIndex == nil {
		return 0
	}
	return *b.TaskIndex
}

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

// maxBeat is the size in bytes of the largest heartbeat that is read.
const maxBeat = 64 << 10

// maxTasks is the largest number of tasks of a dataset: a task has at least one shard, of which there are at most plan.MaxShards.
const maxTasks = 100_000

const beatSuffix = ".json"

// beatName returns the name of the heartbeat of an owner, relative to the dataset.
func beatName(owner string) string { return plan.RunsFolder + "/" + owner + beatSuffix }

// beatNames matches the names of heartbeats in plan.RunsFolder.
var beatNames = regexp.MustCompile(`^[0-9]+-[0-9a-z]+\.json$`)

// IsBeatName reports whether a heartbeat may have this name in plan.RunsFolder.
func IsBeatName(name string) bool { return beatNames.MatchString(name) }

// beatOwners returns the owners of the heartbeats of a dataset, in the order of their file names.
func beatOwners(d disk.Dir) (list []string, err error) {
	names, err := d.ListFiles(plan.RunsFolder)
	for _, name := range names {
		if beatNames.MatchString(name) {
			list = append(list, strings.TrimSuffix(name, beatSuffix))
		}
	}
	return list, err
}

// readBeats returns the heartbeats of a dataset, in the order of their file names. Files that
// are empty, damaged or of another format are ignored.
func readBeats(d disk.Dir) (beats []*Beat, err error) {
	list, err := beatOwners(d)
	for _, owner := range list {
		b, err := readBeat(d, owner)
		if err != nil {
			return nil, err
		}
		if b != nil {
			beats = append(beats, b)
		}
	}
	return beats, err
}

// readBeat returns the heartbeat of an owner, nil if there is none or it cannot be understood.
func readBeat(d disk.Dir, owner string) (*Beat, error) {
	data, err := d.ReadFileUpTo(beatName(owner), maxBeat)
	if disk.IsGone(err) { // or replaced while it was read
		data, err = d.ReadFileUpTo(beatName(owner), maxBeat)
	}
	switch {
	case disk.IsGone(err), errors.Is(err, fault.ErrCorrupt):
		return nil, nil
	case err != nil:
		return nil, &fault.FileError{Op: "read", Path: beatName(owner), Err: err}
	}
	b := &Beat{Owner: owner}
	if json.Unmarshal(data, b) != nil || b.Format != beatFormat || b.task() < 0 || b.TaskCount < 0 || b.TaskCount > maxTasks || b.task() >= max(b.TaskCount, 1) {
		return nil, nil
	}
	return b, nil
}

// ClearBeats removes all heartbeats. The caller holds the dataset exclusively.
func ClearBeats(d disk.Dir) error {
	d.FS = disk.OS{}
	return removeBeats(d, func(string) bool { return true })
}

// clearOthers removes the heartbeats that this process takes the place of: those of dead
// processes of the same task, or all if it makes the whole dataset.
func clearOthers(d disk.Dir, task, tasks int) error {
	return removeBeats(d, func(owner string) bool {
		if owner == d.Owner {
			return false
		}
		b, err := readBeat(d, owner)
		if err != nil || tasks == 0 || b == nil {
			return tasks == 0
		}
		return b.task() == task && b.TaskCount == tasks && disk.ProbeLease(d, owner) != disk.LeaseHeld
	})
}

// removeBeats removes the heartbeats of the wanted owners. It joins the errors.
func removeBeats(d disk.Dir, want func(owner string) bool) error {
	list, err := beatOwners(d)
	for _, owner := range list {
		if want(owner) {
			err = errors.Join(err, d.Remove(beatName(owner)))
		}
	}
	return err
}

// firstInterval is the time between the first beats. It doubles up to MaxInterval, so that
// a short run has a speed too.
const firstInterval = 250 * time.Millisecond

// maxError is the length in bytes of the longest error text in a beat.
const maxError = 1000

// Heartbeat writes that of this process, in a goroutine of its own, from StartHeartbeat to End.
type Heartbeat struct {
	d     disk.Dir
	look  func() Run
	speed speedometer
	beat  Beat
	stop  func() error
}

// StartHeartbeat writes the first beat and begins to write the others. build is the version of the program. look returns
// the run of this process, with its task and the games that it has played, and may be called from any goroutine. The
// owner of d is that of the lease of this process. The heartbeats that this process takes the place of are removed.
func StartHeartbeat(d disk.Dir, build string, look func() Run) *Heartbeat {
	d.FS = disk.OS{}
	h := &Heartbeat{d: d, look: look}
	host, _ := os.Hostname()
	h.beat = Beat{Format: beatFormat, Host: host, Machine: Machine(), Build: build}
	began := now()
	h.look = func() Run {
		r := look()
		r.PID, r.Updated = os.Getpid(), time.Now().UTC()
		if r.Started.IsZero() {
			r.Started = began
		}
		return r
	}
	_ = d.MakeFolders(plan.RunsFolder)
	h.write(Running, nil)
	_ = clearOthers(d, h.beat.task(), h.beat.TaskCount) // an old heartbeat does no harm
	h.stop = goroutine.Every(firstInterval, MaxInterval, func() { h.write("", nil) })
	return h
}

// End writes the last beat, with the state of the process and its error, if any. Call it
// once, before the lease is released.
func (h *Heartbeat) End(state State, err error) {
	_ = h.stop() // a heartbeat that panicked is only an old one
	h.write(state, err)
}

// write writes one beat. Without a state it is that of the run. Errors are ignored: see the package comment.
func (h *Heartbeat) write(state State, err error) {
	b := &h.beat
	b.Run = h.look()
	b.State = cmp.Or(state, b.State, Running)
	if err != nil {
		b.Error = err.Error()
		b.Error = b.Error[:min(len(b.Error), maxError)]
	}
	b.Seq++
	h.speed.add(b.Updated, b.Played)
	perS, window := h.speed.rate()
	b.GamesPerS, b.WindowS = perS, window.Seconds()
	_ = h.replace()
}

// replace replaces the file whole or not at all, without a sync.
func (h *Heartbeat) replace() error {
	data, err := json.Marshal(h.beat)
	if err != nil {
		return err
	}
	temp := h.d.TempName("heartbeat")
	f, err := h.d.FS.Create(h.d.Path(temp))
	if err == nil {
		_, err = f.Write(append(data, '\n'))
		err = errors.Join(err, f.Close())
	}
	if err == nil {
		err = h.d.FS.Rename(h.d.Path(temp), h.d.Path(beatName(h.d.Owner)))
	}
	if err != nil {
		err = errors.Join(err, h.d.Remove(temp))
	}
	return err
}

// A speed is measured over the shortest window that has at least minWindow and minGames,
// because searched games may take minutes each, or over everything that is known.
const (
	minWindow = 2 * time.Minute
	minGames  = 20
	maxPoints = 360 // of a speedometer: half an hour of beats
)

// speedometer measures games per second from a count that is read now and then.
type speedometer struct {
	points []point // oldest first
}

// point is a count of games at a time.
type point struct {
	at    time.Time
	games uint64
}

// add adds a count. Above maxPoints, it drops every other point.
func (s *speedometer) add(at time.Time, games uint64) {
	if s.points = append(s.points, point{at, games}); len(s.points) <= maxPoints {
		return
	}
	kept := s.points[:0]
	for i, p := range s.points {
		if i%2 == 0 {
			kept = append(kept, p)
		}
	}
	s.points = kept
}

// rate returns the games per second and the window they were counted in; 0 before the
// second point.
func (s *speedometer) rate() (perS float64, window time.Duration) {
	if len(s.points) < 2 {
		return 0, 0
	}
	last := s.points[len(s.points)-1]
	first := s.points[0]
	for _, p := range s.points {
		if last.at.Sub(p.at) < minWindow || last.games-p.games < minGames {
			break
		}
		first = p
	}
	window = last.at.Sub(first.at)
	if window <= 0 {
		return 0, 0
	}
	return float64(last.games-first.games) / window.Seconds(), window
}
