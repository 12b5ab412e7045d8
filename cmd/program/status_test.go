package program

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
	"unicode/utf8"

	"selfplay/datasets"
	"selfplay/datasets/disk"
	"selfplay/datasets/journal"
	"selfplay/datasets/record"
	"selfplay/datasets/status"
	"selfplay/internal/must"
)

// The phases of a process, as the test that starts it knows them.
const (
	absent   = "absent"   // its end was seen, or it was never started
	changing = "changing" // it is starting, or about to end
	working  = "working"  // it has locked the dataset and was not asked to end
)

// statusTask is one task of a dataset: its processes are killed and started again.
type statusTask struct {
	t       *testing.T
	args    []string
	out     string
	process *exec.Cmd
	stderr  *strings.Builder

	mu      sync.Mutex
	phase   string
	changes int // of phase
	state   status.State
}

func (k *statusTask) set(phase string, state status.State) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.phase, k.state = phase, state
	k.changes++
}

func (k *statusTask) get() (phase string, changes int, state status.State) {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.phase, k.changes, k.state
}

// begin starts a process and waits until it has locked the dataset.
func (k *statusTask) begin() {
	k.t.Helper()
	k.set(changing, "")
	k.process, k.stderr = start(k.t, k.args...)
	pid := fmt.Sprintf(`"pid":%d,`, k.process.Process.Pid)
	waitUntil(k.t, "heartbeat", func() bool {
		names, _ := filepath.Glob(filepath.Join(k.out, ".selfplay", "runs", "*"))
		return slices.ContainsFunc(names, func(name string) bool {
			data, _ := os.ReadFile(name)
			return strings.Contains(string(data), pid)
		})
	})
	k.set(working, "")
}

// end sends a signal and checks the exit code; -1 means killed by the signal.
func (k *statusTask) end(signal os.Signal, code int, state status.State) {
	k.t.Helper()
	k.set(changing, "")
	k.process.Process.Signal(signal)
	if got := processCode(k.process.Wait()); got != code {
		k.t.Errorf("%v: exit code %d, want %d; stderr %s", signal, got, code, k.stderr)
	}
	k.set(absent, state)
}

// finish lets a process run to its end.
func (k *statusTask) finish() {
	k.t.Helper()
	k.set(changing, "")
	process, stderr := start(k.t, k.args...)
	if err := process.Wait(); err != nil {
		k.t.Errorf("%v; stderr %s", err, stderr)
	}
	k.set(absent, status.Done)
}

// gamesOnDisk counts the finished games as the next run would: those of commit records, and
// those of the journals of other shards.
func gamesOnDisk(t *testing.T, out string, shards, shardGames int) uint64 {
	t.Helper()
	ds := must.Get(datasets.Open(out))(t)
	d := disk.Dir{Root: out, FS: disk.OS{}}
	journaled := make([]uint64, shards)
	for s := range journaled { // before the commits: a shard may be committed meanwhile
		first := uint64(s * shardGames)
		records, err := journal.Read(d, ds.PlanHash(), s, first, first+uint64(shardGames), false)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
		journaled[s] = uint64(len(records.Finished))
	}
	games := uint64(0)
	for s := range journaled {
		if _, err := os.Stat(filepath.Join(out, ".selfplay", "commits", fmt.Sprintf("%05d.json", s))); err == nil {
			games += uint64(shardGames)
		} else {
			games += journaled[s]
		}
	}
	return games
}

// TestStatusIsRightAtEveryMoment samples the status of a dataset that two tasks make, while
// their processes are killed, stopped and started again. Each sample is compared with what
// the test knows of the processes, and with the games that it counts before and after.
func TestStatusIsRightAtEveryMoment(t *testing.T) {
	const shards, shardGames, target = 40, 5, 200
	out := filepath.Join(t.TempDir(), "out")
	tasks := make([]*statusTask, 2)
	for i := range tasks {
		tasks[i] = &statusTask{t: t, out: out, phase: absent, args: []string{"run", "--game", "chess", "--player", "ab:depth=2", "--workers", "1", "--games", fmt.Sprint(target),
			"--shard-games", fmt.Sprint(shardGames), "--task-count", "2", "--task-index", fmt.Sprint(i), "--grace", "1ms", "--out", out}}
	}
	tasks[0].begin()
	tasks[1].begin()
	done, sampled := make(chan struct{}), make(chan int)
	watcher := must.Get(status.Open(out))(t)
	go func() {
		var last *status.Status
		samples := 0
		for {
			select {
			case <-done:
				sampled <- samples
				return
			default:
				last = sampleStatus(t, watcher, last, tasks, func() uint64 { return gamesOnDisk(t, out, shards, shardGames) })
				samples++
				time.Sleep(2 * time.Millisecond) // leave the processors to the tasks
			}
		}
	}()
	waitForShards(t, out, 2)
	for round := range 3 {
		tasks[0].end(os.Kill, -1, status.Killed)
		tasks[0].begin()
		waitForShards(t, out, 4+2*round)
		tasks[1].end(os.Kill, -1, status.Killed)
		tasks[0].end(syscall.SIGTERM, 3, status.Stopped)
		checkJournaled(t, tasks[0])
		tasks[1].begin()
		tasks[0].begin()
	}
	for _, k := range tasks {
		k.end(os.Kill, -1, status.Killed)
	}
	time.Sleep(100 * time.Millisecond) // at least one sample sees two dead processes
	var both sync.WaitGroup
	both.Go(tasks[0].finish)
	both.Go(tasks[1].finish)
	both.Wait()
	close(done)
	if n := <-sampled; n < 20 {
		t.Errorf("only %d samples", n)
	}
	s := lookAt(t, out)
	if s.State != status.Done || s.Alive || s.GamesDone != target || s.Journaled != 0 || s.ShardsDone != shards || s.Complete {
		t.Errorf("after the tasks: %+v", s)
	}
	mustRun(t, "finalize", out)
	if s := lookAt(t, out); s.State != status.Done || !s.Complete || s.Games != target || len(s.Tasks) != 0 {
		t.Errorf("after finalize: %+v", s)
	}
}

// sampleStatus takes one sample, checks it and returns it.
func sampleStatus(t *testing.T, w *status.Watcher, last *status.Status, tasks []*statusTask, games func() uint64) *status.Status {
	var before, after [2]int
	var phases [2]string
	var states [2]status.State
	least := games()
	for i, k := range tasks {
		phases[i], before[i], states[i] = k.get()
	}
	s, err := w.Look()
	if err != nil {
		t.Errorf("look: %v", err)
		return last
	}
	for i, k := range tasks {
		_, after[i], _ = k.get()
	}
	if most := games(); s.GamesDone < least || s.GamesDone > most || last != nil && s.GamesDone < last.GamesDone {
		t.Errorf("%d games; there were %d before the sample and %d after it", s.GamesDone, least, most)
	}
	if s.TaskCount != 2 || len(s.Tasks) != 2 || s.Target != 200 || s.Shards != 40 {
		t.Errorf("%d tasks, target %d, %d shards", s.TaskCount, s.Target, s.Shards)
		return s
	}
	for i, task := range s.Tasks {
		if before[i] != after[i] || phases[i] == changing {
			continue
		}
		if task.Alive != (phases[i] == working) || task.By != status.ByLock {
			t.Errorf("task %d is %s, but alive is %t by its %s", i, phases[i], task.Alive, task.By)
		}
		if phases[i] == absent && task.State != states[i] && task.State != status.Done || phases[i] == working && task.State != status.Running {
			t.Errorf("task %d is %s and ended %q, but its state is %s", i, phases[i], states[i], task.State)
		}
	}
	if sum := s.Tasks[0].GamesDone + s.Tasks[1].GamesDone; sum != s.GamesDone || s.Games+s.Journaled != s.GamesDone {
		t.Errorf("%d games of tasks, %d in shards and %d in journals, %d in all", sum, s.Games, s.Journaled, s.GamesDone)
	}
	return s
}

// checkJournaled compares the last line of a stopped process with the status.
func checkJournaled(t *testing.T, k *statusTask) {
	t.Helper()
	s := lookAt(t, k.out)
	if want := fmt.Sprintf("games are in shards and %d in journals", s.Tasks[0].Journaled); !strings.Contains(lastLine(k.stderr.String()), want) {
		t.Errorf("the process said %q, want %q", lastLine(k.stderr.String()), want)
	}
	if info := mustRun(t, "info", "--json", k.out); !strings.Contains(info, fmt.Sprintf(`"journaled":%d,`, s.Journaled)) {
		t.Errorf("info has %s, want %d games in journals", info, s.Journaled)
	}
}

// lookAt returns what selfplay status --json prints.
func lookAt(t *testing.T, out string) status.Status {
	t.Helper()
	return mustParse[status.Status](t, mustRun(t, "status", "--json", out))
}

// TestStoppedRunCountsItsJournals: a run that was stopped in its first shard says everywhere that
// its games are finished, and so does the run after it before it opens a shard.
func TestStoppedRunCountsItsJournals(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	line := []string{"run", "--game", "chess", "--player", "ab:depth=2", "--games", "4000", "--shard-games", "4000", "--out", out}
	first := selfplay("", append(line, "--stop-after", "500ms")...)
	n := lookAt(t, out).GamesDone
	if first.code != 3 || n == 0 {
		t.Fatalf("exit code %d, %d games, stderr %s", first.code, n, first.stderr)
	}
	checkHas(t, first.stdout, fmt.Sprintf("games     %d of 4,000, %d played by this run", n, n), fmt.Sprintf("journals  %d finished games", n))
	checkHas(t, first.stderr, fmt.Sprintf(" games=0 games_done=%d of=4000 ", n))
	checkHas(t, mustRun(t, "info", out), fmt.Sprintf("games     %d of 4,000", n))
	checkHas(t, mustRun(t, "info", "--json", out), `"games":0,`, fmt.Sprintf(`"games_done":%d`, n))
	second := selfplay("", append(line, "--stop-after", "1ns", "--grace", "0s", "--json")...)
	checkHas(t, second.stdout, `"games":0,`, fmt.Sprintf(`"journaled":%d,"games_done":%d,`, n, n), fmt.Sprintf(`"games_recovered":%d,`, n))
	checkHas(t, second.stderr, fmt.Sprintf("msg=start games=4000 games_done=%d ", n))
}

// checkHas checks that a text has all parts.
func checkHas(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("no %q in %s", part, text)
		}
	}
}

// TestWatchEndsWithTheRun: the exit code of status --watch tells how the run ended.
func TestWatchEndsWithTheRun(t *testing.T) {
	for _, c := range []struct {
		name   string
		signal os.Signal
		code   int
		want   string
	}{
		{"done", nil, 0, ""},
		{"stopped", syscall.SIGTERM, 3, ": stopped: stopped before the target; the same command resumes"},
		{"killed", os.Kill, 3, ": killed: stopped before the target; the same command resumes"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			out := filepath.Join(t.TempDir(), "out")
			k := &statusTask{t: t, out: out, args: []string{"run", "--game", "chess", "--player", "ab:depth=2", "--games", "60", "--shard-games", "5", "--grace", "1ms", "--out", out}}
			k.begin()
			watched := make(chan outcome)
			go func() { watched <- selfplay("", "status", "--watch", "--json", "--interval", "100ms", out) }()
			waitForShards(t, out, 2)
			if c.signal != nil {
				k.process.Process.Signal(c.signal)
			}
			k.process.Wait()
			o := <-watched
			if o.code != c.code || !strings.Contains(o.stderr, c.want) {
				t.Errorf("exit code %d, stderr %s; want %d, %q", o.code, o.stderr, c.code, c.want)
			}
			games := uint64(0)
			for line := range strings.SplitSeq(strings.TrimSpace(o.stdout), "\n") {
				var s status.Status
				if err := json.Unmarshal([]byte(line), &s); err != nil || s.GamesDone < games {
					t.Errorf("%v, %d games before: %s", err, games, line)
				}
				games = s.GamesDone
			}
		})
	}
}

// TestWatchOfAFailedRun: a run that ends with an error leaves it for the status.
func TestWatchOfAFailedRun(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	args := []string{"run", "--game", "contrast", "--player", "random", "--games", "20", "--shard-games", "5", "--max-plies", "8", "--out", out}
	if o := selfplay("", append(args, "--min-free", "900TiB")...); o.code != 1 {
		t.Fatalf("exit code %d, stderr %s", o.code, o.stderr)
	}
	o := selfplay("", "status", "--watch", out)
	if o.code != 1 || !strings.HasSuffix(o.stderr, ": the run failed\n") {
		t.Errorf("exit code %d, stderr %s", o.code, o.stderr)
	}
	text := strings.Join(strings.Fields(o.stdout), " ")
	for _, want := range []string{"state failed, its lock is free: process ", "not enough space on the disk", "failures 1 process failed ", "next the same command resumes"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in %s", want, o.stdout)
		}
	}
	mustRun(t, args...)
	if text := mustRun(t, "status", "--watch", out); !strings.Contains(text, "state     done\n") || strings.Contains(text, "next") {
		t.Errorf("after the run that resumes: %s", text)
	}
}

// TestStatusWritesNothing compares all files and folders before and after, in every state.
func TestStatusWritesNothing(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	k := &statusTask{t: t, out: out, args: []string{"run", "--game", "cotulenh", "--player", "random", "--games", "100000", "--shard-games", "10", "--task-count", "2", "--task-index", "0", "--out", out}}
	k.begin()
	waitForShards(t, out, 2)
	k.end(os.Kill, -1, "")
	snapshot := func() string {
		text, err := exec.Command("ls", "-lRA", "--full-time", out).Output()
		if err != nil {
			t.Skip(err)
		}
		return string(text)
	}
	before := snapshot()
	mustRun(t, "status", out)
	mustRun(t, "status", "--json", out)
	if after := snapshot(); after != before {
		t.Errorf("before:\n%s\nafter:\n%s", before, after)
	}
}

// TestTextOfAStatusFits draws statuses with long texts and many tasks at all widths.
func TestTextOfAStatusFits(t *testing.T) {
	old, free := int64(4000), uint64(5e11)
	s := &status.Status{State: status.Killed, LastCommit: &old, DiskFree: &free, DiskNeeded: &free, TaskCount: 100}
	s.Finished = status.Finished{Counts: record.Counts{Shards: 100000, Target: 1e11}, GamesDone: 99_999_999_999, Journaled: 123456789}
	begin := time.Now()
	for i := range 100 {
		whole := status.Finished{Counts: record.Counts{Shards: 1000, ShardsDone: 1000, Target: 1e9}, GamesDone: 1e9}
		s.Tasks = append(s.Tasks, status.Task{Task: i, State: status.Done, Finished: whole})
	}
	s.Tasks[70] = status.Task{Task: 70, State: status.Failed, By: status.ByHeartbeat, PID: 4194304, Host: strings.Repeat("h", 200), Started: &begin,
		Heartbeat: &old, Error: "write \x1b[2J " + strings.Repeat("word ", 50), Finished: status.Finished{Counts: record.Counts{Shards: 1000, Target: 1e9}}}
	for width := minStatusWidth; width <= 120; width++ {
		lines := statusText(s, nil, "", width)
		for _, line := range lines {
			if n := utf8.RuneCountInString(line); n > width {
				t.Errorf("width %d: %d columns: %s", width, n, line)
			}
		}
		text := strings.Join(lines, "\n")
		if !strings.Contains(text, "and 84 more tasks") || !strings.Contains(text, "\n70 ") || strings.Contains(text, "\x1b") {
			t.Fatalf("width %d:\n%s", width, text)
		}
	}
	for seconds, want := range map[int64]string{0: "0 s", 119: "119 s", 120: "2 min", 7199: "119 min", 7200: "2 h 0 min", 200000: "2 d 7 h"} {
		if got := durationText(seconds); got != want {
			t.Errorf("%d seconds are %s, want %s", seconds, got, want)
		}
	}
	for perS, want := range map[float64]string{0: "no game finished yet", 0.001: "3.6 games per hour", 2.345: "2.35 games/s", 1234.5: "1,234 games/s"} {
		if got := statusRateText(&status.Status{GamesPerS: perS}); got != want {
			t.Errorf("%v games/s are %s, want %s", perS, got, want)
		}
	}
}
