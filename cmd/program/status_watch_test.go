package program

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode/utf8"

	"selfplay/datasets/record"
	"selfplay/datasets/status"
)

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
	for width := minWidth; width <= 120; width++ {
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
		if got := rateText(&status.Status{GamesPerS: perS}); got != want {
			t.Errorf("%v games/s are %s, want %s", perS, got, want)
		}
	}
}
