package status

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"selfplay/datasets/disk"
	"selfplay/datasets/plan"
	"selfplay/internal/must"
)

// newDir returns the directory of a dataset and the lease of a writer in it.
func newDir(t *testing.T) (disk.Dir, *disk.Lock) {
	t.Helper()
	d := disk.Dir{Root: t.TempDir(), FS: disk.OS{}}
	must.Do(t, d.MakeFolders(disk.TempFolder))
	l := must.Get(disk.Acquire(d, true))(t)
	t.Cleanup(l.Release)
	d.Owner = l.Owner()
	return d, l
}

// beatsIn returns the heartbeats of a dataset.
func beatsIn(t *testing.T, d disk.Dir) []*Beat {
	t.Helper()
	return must.Get(readBeats(d))(t)
}

// runOf returns the run of a task that has played some games.
func runOf(task, tasks int, games uint64) Run {
	return Run{TaskIndex: &task, TaskCount: tasks, Played: games}
}

func TestBeatsFollowAProcess(t *testing.T) {
	d, _ := newDir(t)
	var games atomic.Uint64
	w := StartHeartbeat(d, "test", func() Run { return runOf(1, 3, games.Load()) })
	first := beatsIn(t, d)
	if len(first) != 1 || first[0].Owner != d.Owner || first[0].Ended() || first[0].PID != os.Getpid() || first[0].task() != 1 || first[0].TaskCount != 3 {
		t.Fatalf("first beats %+v", first)
	}
	games.Store(7)
	var b *Beat
	for b = first[0]; b.Played != 7 || b.GamesPerS == 0; time.Sleep(time.Millisecond) {
		if b, _ = readBeat(d, d.Owner); b == nil {
			t.Fatal("a reader finds no heartbeat")
		}
	}
	if b.Seq <= first[0].Seq || !b.Started.Equal(first[0].Started) || b.WindowS <= 0 {
		t.Errorf("a later beat is %+v, the first was %+v", b, first[0])
	}
	w.End(Failed, errors.New(strings.Repeat("a", 2*maxError)))
	if b, _ := readBeat(d, d.Owner); b.State != Failed || len(b.Error) != maxError || !b.Ended() {
		t.Errorf("the last beat is %+v", b)
	}
	if names, _ := d.List(disk.TempFolder); len(names) != 1 {
		t.Errorf("files in %s: %q, want the lease", disk.TempFolder, names)
	}
}

// TestBeatsTakeThePlaceOfDeadOnes: a task removes the heartbeats of dead processes of the
// same task, a run of the whole dataset removes all.
func TestBeatsTakeThePlaceOfDeadOnes(t *testing.T) {
	alive, _ := newDir(t)
	dead := alive
	for owner, task := range map[string]int{"1-aa": 0, "2-bb": 1} {
		dead.Owner = owner
		StartHeartbeat(dead, "", func() Run { return runOf(task, 2, 0) }).End(Stopped, nil)
	}
	StartHeartbeat(alive, "", func() Run { return runOf(0, 2, 0) }).End(Done, nil)
	if beats := beatsIn(t, alive); len(beats) != 2 || beats[0].Owner == "1-aa" || beats[1].Owner == "1-aa" {
		t.Errorf("%d heartbeats, want those of %s and 2-bb", len(beats), alive.Owner)
	}
	dead.Owner = "3-cc"
	StartHeartbeat(dead, "", func() Run { return Run{} }).End(Stopped, nil)
	if beats := beatsIn(t, alive); len(beats) != 1 || beats[0].Owner != "3-cc" {
		t.Errorf("%d heartbeats after a run of the whole dataset, want its own", len(beats))
	}
	must.Do(t, ClearBeats(alive))
	if len(beatsIn(t, alive)) > 0 {
		t.Error("heartbeats are left")
	}
}

func TestUnreadableBeatsAreIgnored(t *testing.T) {
	d, _ := newDir(t)
	must.Do(t, d.MakeFolders(plan.RunsFolder, plan.RunsFolder+"/4-folder.json"))
	for name, text := range map[string]string{
		"1-a.json": "", "2-b.json": "{", "3-c.json": `{"format":2}`, "5-e.json": `{"format":1,"task_index":2,"task_count":2}`,
		"6-f.json": strings.Repeat(" ", maxBeat+1), "notes.json": `{"format":1}`, "7-g.txt": `{"format":1}`,
		"8-h.json": `{"format":1,"task_count":100001}`,
	} {
		must.Do(t, os.WriteFile(filepath.Join(d.Path(plan.RunsFolder), name), []byte(text), 0o644))
	}
	if beats := beatsIn(t, d); len(beats) > 0 {
		t.Errorf("%+v", beats[0])
	}
}

// TestSpeedIsThatOfTheLastMinutes: a run that slows down is measured over a short window if
// it has enough games, and over a long one otherwise.
func TestSpeedIsThatOfTheLastMinutes(t *testing.T) {
	begin := time.Now()
	for _, c := range []struct {
		name   string
		perS   float64 // in the last ten minutes, after an hour of 10 games/s
		want   float64
		window time.Duration
	}{
		{"fast", 1, 1, minWindow}, {"slow", 1.0 / 10, 1.0 / 10, 195 * time.Second}, {"stuck", 0, 0.16, 10 * time.Minute},
	} {
		var s speedometer
		for at := time.Duration(0); at <= 70*time.Minute; at += MaxInterval {
			fast, slow := min(at, time.Hour), max(0, at-time.Hour)
			s.add(begin.Add(at), uint64(10*fast.Seconds()+c.perS*slow.Seconds()))
		}
		perS, window := s.rate()
		if perS < c.want*0.8 || perS > c.want*1.3 || window < c.window/2 || window > 2*c.window {
			t.Errorf("%s: %.3f games/s in %v, want %.3f in %v", c.name, perS, window, c.want, c.window)
		}
		if len(s.points) > maxPoints {
			t.Errorf("%s: %d points", c.name, len(s.points))
		}
	}
}
