package program

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"selfplay/datasets"
	"selfplay/datasets/status"
	"selfplay/internal/must"
	"selfplay/workers"
)

// smallRun returns the arguments of a run of two shards.
func smallRun(out string, more ...string) []string {
	return append([]string{"run", "--game", "contrast", "--player", "random", "--games", "6", "--shard-games", "3", "--max-plies", "20", "--out", out}, more...)
}

func mustParse[T any](t *testing.T, text string) (v T) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &v); err != nil || strings.Count(text, "\n") != 1 {
		t.Fatalf("not one line of JSON: %v in %q", err, text)
	}
	return v
}

func TestDryRunJSON(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	s := mustParse[estimateSummary](t, mustRun(t, smallRun(out, "--dry-run", "--json", "--games", "600")...))
	if s.Games != 600 || s.Shards != 200 || s.Plan.Game != "contrast" || len(s.PlanHash) != 64 || s.Rows < 600 || s.Bytes < s.Rows ||
		s.RowsSpread == nil || s.TimeS <= 0 || s.CPUS < s.TimeS || s.Cores != runtime.GOMAXPROCS(0) || s.GamesFit != 0 || s.TrialGames == 0 || s.MemoryBytes == 0 {
		t.Errorf("%+v", s)
	}
	planned := mustParse[estimateSummary](t, mustRun(t, smallRun(out, "--dry-run", "--json", "--games", "600", "--cores", "64", "--stop-after", "1h")...))
	if planned.Cores != 64 || planned.Workers != 64 || planned.TimeS > planned.CPUS/60 || planned.GamesFit < 600 || planned.StopAfterS != 3600 {
		t.Errorf("%+v", planned)
	}
	mustRun(t, smallRun(out)...)
	if s := mustParse[estimateSummary](t, mustRun(t, smallRun(out, "--dry-run", "--json")...)); s.Games != 0 || s.RowsSpread != nil || s.Plan.Game == "" {
		t.Errorf("nothing to play: %+v", s)
	}
}

// TestStatusFileFollowsARun that is stopped by a signal.
func TestStatusFileFollowsARun(t *testing.T) {
	dir := t.TempDir()
	out, file := filepath.Join(dir, "out"), filepath.Join(dir, "status.json")
	process, stderr := start(t, "run", "--game", "contrast", "--player", "random", "--games", "1000000", "--shard-games", "20", "--out", out, "--status-file", file)
	read := func() status.Run {
		text := must.Get(os.ReadFile(file))(t)
		return mustParse[status.Run](t, string(text))
	}
	waitFor(t, file)
	first := read()
	if first.State != status.Running || first.ExitCode != nil || first.PID != process.Process.Pid || first.Target != 1000000 || first.Complete != nil {
		t.Errorf("%+v", first)
	}
	now := first
	waitUntil(t, "more games", func() bool {
		now = read()
		return now.Games > first.Games
	})
	if now.Games <= first.Games || now.Rows <= first.Rows || now.LastCommit.Before(first.Started) || !now.Updated.After(first.Updated) || now.ETA == nil || now.RowsPerS <= 0 {
		t.Errorf("later: %+v", now)
	}
	process.Process.Signal(syscall.SIGTERM)
	if code := exitCode(process.Wait()); code != 3 {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	if last := read(); last.State != status.Stopped || *last.ExitCode != 3 || !strings.Contains(last.Error, "the same command resumes") || last.Busy != 0 {
		t.Errorf("%+v", last)
	}
}

// TestMetricsAreServedWhileTheRunWorks, and not longer.
func TestMetricsAreServedWhileTheRunWorks(t *testing.T) {
	free := must.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
	addr := free.Addr().String()
	free.Close()
	out := filepath.Join(t.TempDir(), "out")
	process, stderr := start(t, "run", "--game", "contrast", "--player", "random", "--games", "1000000", "--shard-games", "20", "--out", out, "--metrics", addr)
	waitForShards(t, out, 2)
	var body []byte // refreshed at intervals, so later than the files
	games := regexp.MustCompile(`(?m)^selfplay_dataset_games{.*} [1-9].*$`)
	waitUntil(t, "games in the metrics", func() bool {
		r := must.Get(http.Get("http://" + addr + "/metrics"))(t)
		defer r.Body.Close()
		body, _ = io.ReadAll(r.Body)
		return games.Match(body)
	})
	for _, want := range []string{`selfplay_running{.*} 1`, `selfplay_eta_seconds{.*} .+`} {
		if !regexp.MustCompile("(?m)^" + want + "$").Match(body) {
			t.Errorf("no %s in\n%s", want, body)
		}
	}
	process.Process.Signal(os.Interrupt)
	if code := exitCode(process.Wait()); code != 3 {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	if _, err := http.Get("http://" + addr + "/metrics"); err == nil {
		t.Error("the address is still served")
	}
}

// TestStatusFileWithoutAWorkingDirectory: its place is unknown, and that is what the error says.
func TestStatusFileWithoutAWorkingDirectory(t *testing.T) {
	out, gone := t.TempDir(), filepath.Join(t.TempDir(), "gone")
	must.Do(t, os.Mkdir(gone, 0o755))
	t.Chdir(gone)
	if err := os.Remove(gone); err != nil {
		t.Skip(err)
	}
	if _, err := filepath.Abs("s.json"); err == nil {
		t.Skip("this system knows the working directory")
	}
	err := new(publisher).addFile("s.json", "", out, statusOf)
	if err == nil || strings.Contains(err.Error(), "lies in the dataset") {
		t.Errorf("error %v", err)
	}
}

func TestPanicIsAFailure(t *testing.T) {
	var s status.Run
	setOutcome(&s, fmt.Errorf("make shard 3: %w", &workers.PanicError{Game: 7}), 1)
	if s.State != status.Failed || s.Failures != 1 || *s.ExitCode != 1 {
		t.Errorf("%+v", s)
	}
	s = status.Run{}
	if setOutcome(&s, fmt.Errorf("make shard 3: %w", datasets.ErrIncomplete), 3); s.State != status.Stopped {
		t.Errorf("a stop: state %s", s.State)
	}
	if setOutcome(&s, fmt.Errorf("make shard 3: %w", datasets.ErrUnanswered), 3); s.State != status.Failed || *s.ExitCode != 3 {
		t.Errorf("a model without answers: state %s, exit code %d", s.State, *s.ExitCode)
	}
	if setOutcome(&s, errors.New("disk"), 1); s.State != status.Failed || s.Failures != 0 {
		t.Errorf("%+v", s)
	}
}
