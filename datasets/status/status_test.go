package status

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"selfplay/datasets"
	"selfplay/datasets/disk"
	"selfplay/datasets/heartbeat"
	"selfplay/datasets/making"
	"selfplay/datasets/plan"
	"selfplay/datasets/record"
	"selfplay/engine/enginetest"
)

// TestLivenessByLockOrHeartbeat: a lease proves something where it is held or gone, and on
// the machine of its process. Elsewhere the age of the heartbeat decides.
func TestLivenessByLockOrHeartbeat(t *testing.T) {
	machine = "here"
	var text strings.Builder
	leases := []disk.LeaseState{disk.LeaseHeld, disk.LeaseFree, disk.LeaseGone, disk.LeaseUnknown}
	for i, lease := range []string{"held", "free", "gone", "unknown"} {
		for _, place := range []string{"here", "there"} {
			for _, state := range []State{Running, Done, Stopped, Failed} {
				for _, age := range []time.Duration{0, time.Minute, 2 * time.Minute} {
					p := judge(&heartbeat.Beat{Machine: place, State: state}, leases[i], age)
					fmt.Fprintf(&text, "lease %s, process %s, %s %v ago: alive %t by its %s, %s, silent %t\n", lease, place, state, age, p.Alive, p.By, p.State, p.Silent)
				}
			}
		}
	}
	enginetest.Golden(t, "testdata/liveness.txt", text.String(), "A live process must never look dead")
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
	shards := make([]record.ShardCount, 4)
	for i := range shards {
		shards[i] = record.ShardCount{Games: 50}
	}
	shards[0].Committed, shards[1].Journaled = 50, 10
	n := record.Count{Target: 200, Shards: shards}
	live := func(task int, perS float64) Task {
		return judge(&heartbeat.Beat{Task: task, Tasks: 2, State: Running, GamesPerS: perS}, disk.LeaseHeld, 0)
	}
	dead := judge(&heartbeat.Beat{Task: 1, Tasks: 2, State: Failed, Error: "no space"}, disk.LeaseGone, time.Hour)
	for _, c := range []struct {
		name      string
		processes []Task
		perS      float64
		left      int64
		state     State
	}{
		{"two tasks", []Task{live(0, 2), live(1, 1)}, 3, 90, Running},
		{"a task that failed, and one that runs", []Task{live(0, 2), dead}, 2, -1, Running},
		{"a failed task that was started again", []Task{live(0, 2), dead, live(1, 1)}, 3, 90, Running},
		{"a task without any process", []Task{live(0, 2)}, 2, -1, Running},
		{"no speed yet", []Task{live(0, 2), live(1, 0)}, 2, -1, Running},
		{"all have ended", []Task{dead}, 0, -1, Failed},
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

// TestRunCountsEvents: games in journals are finished and need not be played, and a task misses
// only its own games.
func TestRunCountsEvents(t *testing.T) {
	resumed := func(games, missing uint64) making.Event {
		return making.Event{Kind: making.EventResumed, Target: 1000, Games: games, Missing: missing}
	}
	recovered := making.Event{Kind: making.EventRecovered, Games: 20}
	committed := making.Event{Kind: making.EventCommitted, Games: 50, Rows: 500}
	for _, c := range []struct {
		name                     string
		events                   []making.Event
		played, toPlay, finished uint64
		left                     int64 // -1: unknown
	}{
		{"no dataset", nil, 40, 1000, 40, 1440},
		{"no game yet", nil, 0, 1000, 0, -1},
		{"nothing is missing", []making.Event{resumed(1000, 0)}, 3, 0, 1003, -1},
		{"a task", []making.Event{resumed(0, 100), recovered}, 40, 80, 60, 60},
		{"a commit", []making.Event{resumed(200, 800), recovered, committed}, 60, 780, 280, 720},
	} {
		tracker := Track(1000)
		for _, e := range c.events {
			tracker.Notify(e)
		}
		tracker.Follow(func(r *Run) { r.Played = c.played })
		r := tracker.Look()
		r.Measure(time.Minute)
		if r.ToPlay() != c.toPlay || r.Finished() != c.finished || (r.ETA == nil) != (c.left < 0) || r.ETA != nil && *r.ETA != c.left {
			t.Errorf("%s: to play %d, finished %d, left %v; want %d, %d, %d", c.name, r.ToPlay(), r.Finished(), r.ETA, c.toPlay, c.finished, c.left)
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
		if _, err := record.AppendFailure(d.Root, map[string]int{"game": game}); err != nil {
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
	if err := os.WriteFile(filepath.Join(root, plan.FileName), []byte("{"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(root); !errors.Is(err, datasets.ErrCorrupt) {
		t.Errorf("%v, want ErrCorrupt", err)
	}
}
