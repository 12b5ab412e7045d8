package status

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"selfplay/datasets"
	"selfplay/datasets/disk"
	"selfplay/datasets/heartbeat"
)

// TestLivenessByLockOrHeartbeat: a lease proves something where it is held or gone, and on
// the machine of its process. Elsewhere the age of the heartbeat decides.
func TestLivenessByLockOrHeartbeat(t *testing.T) {
	machine = "here"
	for _, c := range []struct {
		name    string
		lease   disk.LeaseState
		machine string
		state   string
		age     time.Duration
		alive   bool
		by      string
		want    State
	}{
		{"held", disk.LeaseHeld, "here", heartbeat.Running, 0, true, ByLock, Running},
		{"held and silent", disk.LeaseHeld, "here", heartbeat.Running, time.Hour, true, ByLock, Running},
		{"held on another machine", disk.LeaseHeld, "there", heartbeat.Running, time.Hour, true, ByLock, Running},
		{"held while the last beat is written", disk.LeaseHeld, "here", heartbeat.Stopped, 0, true, ByLock, Running},
		{"free", disk.LeaseFree, "here", heartbeat.Running, 0, false, ByLock, Killed},
		{"gone", disk.LeaseGone, "there", heartbeat.Running, 0, false, ByLock, Killed},
		{"stopped", disk.LeaseGone, "here", heartbeat.Stopped, 0, false, ByLock, Stopped},
		{"failed", disk.LeaseGone, "there", heartbeat.Failed, 0, false, ByLock, Failed},
		{"done with a smaller target", disk.LeaseGone, "here", heartbeat.Done, 0, false, ByLock, Unfinished},
		{"free on another machine, fresh", disk.LeaseFree, "there", heartbeat.Running, time.Minute, true, ByHeartbeat, Running},
		{"free on another machine, old", disk.LeaseFree, "there", heartbeat.Running, 2 * time.Minute, false, ByHeartbeat, Killed},
		{"free on another machine, stopped", disk.LeaseFree, "there", heartbeat.Stopped, 0, false, ByHeartbeat, Stopped},
		{"cannot be tested, fresh", disk.LeaseUnknown, "here", heartbeat.Running, time.Minute, true, ByHeartbeat, Running},
		{"cannot be tested, old", disk.LeaseUnknown, "here", heartbeat.Running, 2 * time.Minute, false, ByHeartbeat, Killed},
	} {
		p := judge(&heartbeat.Beat{Machine: c.machine, State: c.state}, c.lease, c.age)
		if p.alive != c.alive || p.by != c.by || p.state() != c.want {
			t.Errorf("%s: alive %t by its %s, %s; want %t by its %s, %s", c.name, p.alive, p.by, p.state(), c.alive, c.by, c.want)
		}
	}
}

// TestAgeNeedsOneClockOnly: a watcher that has seen a heartbeat once judges its age by the
// clock of its own machine, however wrong the clock of the writer is.
func TestAgeNeedsOneClockOnly(t *testing.T) {
	begin := time.Now()
	for _, skew := range []time.Duration{0, -time.Hour, time.Hour} {
		w := &Watcher{seen: map[string]sighting{}}
		look := func(at time.Duration, seq uint64, beat time.Duration) time.Duration {
			s := w.sight(&heartbeat.Beat{Owner: "1-a", Seq: seq, Time: begin.Add(beat + skew)}, begin.Add(at))
			w.seen["1-a"] = s
			return s.age
		}
		if got, want := look(2*time.Second, 1, 0), max(0, 2*time.Second-skew); got != want {
			t.Errorf("skew %v: age %v at first, want %v", skew, got, want)
		}
		if got := look(8*time.Second, 2, 6*time.Second); got > 6*time.Second {
			t.Errorf("skew %v: a new beat is %v old after 6 s", skew, got)
		}
		if got := look(8*time.Minute, 2, 6*time.Second); got < 7*time.Minute || got > 8*time.Minute {
			t.Errorf("skew %v: a beat that was seen 8 minutes ago is %v old", skew, got)
		}
	}
}

func TestTimeLeftIsThatOfTheSlowestTask(t *testing.T) {
	shards := make([]datasets.ShardCount, 4)
	for i := range shards {
		shards[i] = datasets.ShardCount{Games: 50}
	}
	shards[0].Committed, shards[1].Journaled = 50, 10
	n := datasets.Count{Target: 200, Shards: shards}
	live := func(task int, perS float64) process {
		return process{&heartbeat.Beat{Task: task, Tasks: 2, State: heartbeat.Running, GamesPerS: perS}, true, ByLock, 0}
	}
	dead := process{&heartbeat.Beat{Task: 1, Tasks: 2, State: heartbeat.Failed, Error: "no space"}, false, ByLock, time.Hour}
	for _, c := range []struct {
		name      string
		processes []process
		perS      float64
		left      int64
		state     State
	}{
		{"two tasks", []process{live(0, 2), live(1, 1)}, 3, 90, Running},
		{"a task that failed, and one that runs", []process{live(0, 2), dead}, 2, -1, Running},
		{"a failed task that was started again", []process{live(0, 2), dead, live(1, 1)}, 3, 90, Running},
		{"a task without any process", []process{live(0, 2)}, 2, -1, Running},
		{"no speed yet", []process{live(0, 2), live(1, 0)}, 2, -1, Running},
		{"all have ended", []process{dead}, 0, -1, Failed},
		{"no process", nil, 0, -1, Unfinished},
	} {
		var s Status
		s.addCount(&n, time.Now())
		s.addTasks(&n, c.processes)
		s.addSpeed()
		if s.GamesPerS != c.perS || (s.ETA == nil) != (c.left < 0) || s.ETA != nil && *s.ETA != c.left || s.State != c.state {
			t.Errorf("%s: %v games/s, left %v, %s; want %v, %d, %s", c.name, s.GamesPerS, s.ETA, s.State, c.perS, c.left, c.state)
		}
		if s.ShardsDone != 1 || s.GamesDone != 60 || len(c.processes) > 0 && (s.TaskCount != 2 || s.Tasks[0].GamesDone != 50) {
			t.Errorf("%s: %+v", c.name, s)
		}
	}
}

func TestFailuresAreCounted(t *testing.T) {
	d := disk.Dir{Root: t.TempDir(), FS: disk.OS{}}
	if f, err := readFailures(d); err != nil || f.Panics != 0 || f.LastGame != nil {
		t.Errorf("without a file: %+v, %v", f, err)
	}
	if err := d.MakeFolders(disk.Hidden); err != nil {
		t.Fatal(err)
	}
	for _, game := range []int{7, 3} {
		if _, err := datasets.AppendFailure(d.Root, map[string]int{"game": game}); err != nil {
			t.Fatal(err)
		}
	}
	if f, err := readFailures(d); err != nil || f.Panics != 2 || *f.LastGame != 3 {
		t.Errorf("%+v, %v, want two panics, the last one in game 3", f, err)
	}
}

func TestOpenRefusesWhatIsNoDataset(t *testing.T) {
	root := t.TempDir()
	if _, err := Open(root); !errors.Is(err, datasets.ErrNotDataset) {
		t.Errorf("%v, want ErrNotDataset", err)
	}
	if err := os.WriteFile(filepath.Join(root, datasets.PlanName), []byte("{"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(root); !errors.Is(err, datasets.ErrCorrupt) {
		t.Errorf("%v, want ErrCorrupt", err)
	}
}
