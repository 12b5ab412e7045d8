package status

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"selfplay/datasets"
	"selfplay/datasets/disk"
	"selfplay/datasets/plan"
	"selfplay/datasets/record"
	"selfplay/engine/enginetest"
	"selfplay/internal/must"
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
					p := judge(&Beat{Machine: place, Run: Run{State: state}}, leases[i], age)
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
			s := w.sight(&Beat{Owner: "1-a", Seq: seq, Run: Run{Updated: begin.Add(beat + skew)}}, begin.Add(at))
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
	n := record.Count{Target: 200, ByShard: shards}
	live := func(task int, perS float64) Task {
		return judge(&Beat{GamesPerS: perS, Run: Run{TaskIndex: &task, TaskCount: 2, State: Running}}, disk.LeaseHeld, 0)
	}
	second := 1
	dead := judge(&Beat{Run: Run{TaskIndex: &second, TaskCount: 2, State: Failed, Error: "no space"}}, disk.LeaseGone, time.Hour)
	var text strings.Builder
	for _, c := range []struct {
		name      string
		processes []Task
	}{
		{"two tasks", []Task{live(0, 2), live(1, 1)}},
		{"a task that failed, and one that runs", []Task{live(0, 2), dead}},
		{"a failed task that was started again", []Task{live(0, 2), dead, live(1, 1)}},
		{"a task without any process", []Task{live(0, 2)}},
		{"no speed yet", []Task{live(0, 2), live(1, 0)}},
		{"all have ended", []Task{dead}},
		{"no process", nil},
	} {
		var s Status
		s.addCount(&n, time.Now())
		s.addTasks(&n, c.processes)
		s.addSpeed()
		fmt.Fprintf(&text, "# %s\n%s\n", c.name, must.Get(json.MarshalIndent(s, "", " "))(t))
	}
	enginetest.Golden(t, "testdata/tasks.txt", text.String(), "Look at games_per_s, eta_s and the state of each case")
}

// TestRunCountsEvents: games in journals are finished and need not be played, and a task misses
// only its own games.
func TestRunCountsEvents(t *testing.T) {
	resumed := func(games, missing uint64) Event {
		return Event{Kind: EventResumed, Target: 1000, Games: games, Share: games + missing, Missing: missing}
	}
	journals := resumed(200, 800)
	journals.Journaled = map[int]uint64{4: 20, 7: 112}
	more := Event{Kind: EventRecovered, Shard: 7, Games: 113}
	recovered := Event{Kind: EventRecovered, Shard: 4, Games: 20}
	committed := Event{Kind: EventCommitted, Games: 50, Rows: 500}
	var text strings.Builder
	for _, c := range []struct {
		name   string
		events []Event
		played uint64
	}{
		{"no dataset", nil, 40},
		{"no game yet", nil, 0},
		{"nothing is missing", []Event{resumed(1000, 0)}, 3},
		{"a task", []Event{resumed(0, 100), recovered}, 40},
		{"a commit", []Event{resumed(200, 800), recovered, committed}, 60},
		{"journals of shards that are not open yet", []Event{journals}, 0},
		{"one of them is open", []Event{journals, recovered}, 5},
		{"another process wrote to a journal", []Event{journals, recovered, more}, 5},
	} {
		tracker := Track(1000)
		for _, e := range c.events {
			tracker.Notify(e)
		}
		tracker.Follow(func(r *Run) { r.Played = c.played })
		r := tracker.Look()
		r.Measure(time.Minute)
		fmt.Fprintf(&text, "%s: %d games to play, %d played, %d committed, %d finished, %d of its %d, %s seconds left\n",
			c.name, r.ToPlay(), r.Played, r.Games, r.GamesDone, r.ShareDone(), r.Share, must.Get(json.Marshal(r.ETA))(t))
	}
	enginetest.Golden(t, "testdata/events.txt", text.String(), "Add up the events of each case")
}

func TestFailuresAreCounted(t *testing.T) {
	d := disk.Dir{Root: t.TempDir(), FS: disk.OS{}}
	if f, err := readFailures(d); err != nil || f.Panics != 0 || f.LastGame != nil {
		t.Errorf("without a file: %+v, %v", f, err)
	}
	must.Do(t, d.MakeFolders(disk.Hidden))
	for _, game := range []int{7, 3} {
		must.Get(record.AppendFailure(d.Root, map[string]int{"game": game}))(t)
	}
	if f, err := readFailures(d); err != nil || f.Panics != 2 || *f.LastGame != 3 {
		t.Errorf("%+v, %v, want two panics, the last one in game 3", f, err)
	}
}

func TestOpenRefusesWhatIsNoDataset(t *testing.T) {
	root := t.TempDir()
	must.Fail(Open(root))(t, datasets.ErrNotDataset, "")
	must.Do(t, os.WriteFile(filepath.Join(root, plan.FileName), []byte("{"), 0o644))
	must.Fail(Open(root))(t, datasets.ErrCorrupt, "")
}
