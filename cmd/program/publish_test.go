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
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"selfplay/datasets/status"
	"selfplay/workers"
)

// smallRun returns the arguments of a run of two shards.
func smallRun(out string, more ...string) []string {
	return append([]string{"run", "--game", "contrast", "--games", "6", "--shard-games", "3", "--max-plies", "20", "--out", out}, more...)
}

func mustParse[T any](t *testing.T, text string) (v T) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &v); err != nil || strings.Count(text, "\n") != 1 {
		t.Fatalf("not one line of JSON: %v in %q", err, text)
	}
	return v
}

// TestRunJSON: stdout is the summary as one object, with and without --quiet, and the status
// file has the same.
func TestRunJSON(t *testing.T) {
	dir := t.TempDir()
	out, file := filepath.Join(dir, "out"), filepath.Join(dir, "status.json")
	text := must(t, smallRun(out, "--json", "--status-file", file)...)
	s := mustParse[status.Run](t, text)
	if s.State != status.Done || s.ExitCode == nil || *s.ExitCode != 0 || s.Complete == nil || !*s.Complete || s.Error != "" ||
		s.Game != "contrast" || s.Seed != 1 || s.Out != out || len(s.PlanHash) != 64 || s.Games != 6 || s.GamesNew != 6 ||
		s.Played != 6 || s.Target != 6 || s.Shards != 2 || s.ShardsDone != 2 || s.Rows != s.RowsNew || s.RowsMade != s.Rows || s.Rows == 0 ||
		len(s.Splits) != 2 || len(s.Endings) == 0 || s.LastCommit.Before(s.Started) {
		t.Errorf("%s", text)
	}
	if got, err := os.ReadFile(file); err != nil || string(got) != text {
		t.Errorf("the status file has %s, %v, want %s", got, err, text)
	}
	again := mustParse[status.Run](t, must(t, smallRun(out, "--json", "--quiet", "--games", "7")...))
	if again.Games != 7 || again.GamesNew != 1 || again.Rows <= again.RowsNew || again.ShardsNew != 1 || again.Target != 7 || again.Shards != 3 {
		t.Errorf("extended: %+v", again)
	}
	if idle := mustParse[status.Run](t, must(t, smallRun(out, "--json")...)); idle.GamesNew != 0 || idle.Games != 7 || idle.Target != 7 || idle.ETA != nil {
		t.Errorf("nothing to do: %+v", idle)
	}
	task := mustParse[status.Run](t, must(t, smallRun(filepath.Join(dir, "tasks"), "--json", "--task-count", "2", "--task-index", "1")...))
	if task.State != status.Done || *task.Complete || task.Missing != 3 || task.GamesNew != 3 || *task.TaskIndex != 1 || task.TaskCount != 2 {
		t.Errorf("a task: %+v", task)
	}
}

func TestDryRunJSON(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	s := mustParse[estimateSummary](t, must(t, smallRun(out, "--dry-run", "--json", "--games", "600")...))
	if s.Games != 600 || s.Shards != 200 || s.Plan.Game != "contrast" || len(s.PlanHash) != 64 || s.Rows < 600 || s.Bytes < s.Rows ||
		s.RowsSpread == nil || s.TimeS <= 0 || s.TrialGames == 0 || s.MemoryBytes == 0 {
		t.Errorf("%+v", s)
	}
	must(t, smallRun(out)...)
	if s := mustParse[estimateSummary](t, must(t, smallRun(out, "--dry-run", "--json")...)); s.Games != 0 || s.RowsSpread != nil || s.Plan.Game == "" {
		t.Errorf("nothing to play: %+v", s)
	}
}

func TestLastEventIsDone(t *testing.T) {
	out := t.TempDir()
	text := selfplay("", smallRun(out)...)
	if last := lastLine(text.stderr); !strings.Contains(last, "msg=done state=done exit_code=0 games=6 of=6 games_new=6 ") {
		t.Errorf("text: %s", last)
	}
	asJSON := selfplay("", smallRun(out, "--log-format", "json")...)
	last := mustParse[map[string]any](t, lastLine(asJSON.stderr)+"\n")
	if last["msg"] != "done" || last["state"] != "done" || last["exit_code"] != 0.0 || last["games"] != 6.0 || last["games_new"] != 0.0 {
		t.Errorf("JSON: %v", last)
	}
}

// TestStatusFileFollowsARun that is stopped by a signal.
func TestStatusFileFollowsARun(t *testing.T) {
	dir := t.TempDir()
	out, file := filepath.Join(dir, "out"), filepath.Join(dir, "status.json")
	process, stderr := start(t, "run", "--game", "contrast", "--games", "1000000", "--shard-games", "20", "--out", out, "--status-file", file)
	read := func() status.Run {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		return mustParse[status.Run](t, string(text))
	}
	waitFor(t, file)
	first := read()
	if first.State != status.Running || first.ExitCode != nil || first.PID != process.Process.Pid || first.Target != 1000000 || first.Complete != nil {
		t.Errorf("%+v", first)
	}
	now := first
	for end := time.Now().Add(time.Minute); now.Games <= first.Games && time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		now = read()
	}
	if now.Games <= first.Games || now.Rows <= first.Rows || !now.Updated.After(first.Updated) || now.ETA == nil || now.RowsPerS <= 0 {
		t.Errorf("a minute later: %+v", now)
	}
	process.Process.Signal(syscall.SIGTERM)
	if code := exitCode(process.Wait()); code != 3 {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	if last := read(); last.State != status.Stopped || *last.ExitCode != 3 || !strings.Contains(last.Error, "the same command resumes") || last.Busy != 0 {
		t.Errorf("%+v", last)
	}
}

// TestRefusedRunLeavesPublishedFilesAlone: another run may write them.
func TestRefusedRunLeavesPublishedFilesAlone(t *testing.T) {
	dir := t.TempDir()
	out, file, metrics := filepath.Join(dir, "out"), filepath.Join(dir, "status.json"), filepath.Join(dir, "run.prom")
	args := smallRun(out, "--quiet", "--status-file", file, "--metrics", metrics)
	must(t, args...)
	before, _ := os.ReadFile(file)
	mustRefuse(t, selfplay("", append(args, "--seed", "2")...), 5, "seed is 1, not 2")
	if after, _ := os.ReadFile(file); string(after) != string(before) {
		t.Errorf("the status file changed to %s", after)
	}
	if list, _ := os.ReadDir(dir); len(list) != 3 {
		t.Errorf("left %v", list)
	}
}

func TestBadPlacesForStatusAndMetrics(t *testing.T) {
	busy, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer busy.Close()
	dir := t.TempDir()
	whole := filepath.Join(dir, "whole")
	must(t, smallRun(whole, "--quiet")...)
	for flags, want := range map[string]string{
		"--metrics " + busy.Addr().String():       "serve metrics: listen tcp " + busy.Addr().String() + ": bind: address already in use: choose another --metrics",
		"--metrics 9100":                          `metrics "9100": want an address such as 127.0.0.1:9100 or :9100, or a file that ends in .prom`,
		"--metrics run.txt":                       `metrics "run.txt": want an address`,
		"--metrics=":                              `metrics "": want an address`,
		"--metrics " + dir + "/none/x.prom":       "no such folder: " + dir + "/none",
		"--status-file=":                          "status-file: the name of the file is empty",
		"--status-file " + dir:                    "it exists and is not a regular file",
		"--status-file x.prom --metrics ./x.prom": "flags --status-file and --metrics name the same file: x.prom",
		"--status-file run.go --out " + filepath.Join(dir, "new"): "write run.go: it exists and has other content",
		"--out " + whole + " --status-file " + whole + "/s.json":  "it lies in the dataset " + whole,
	} {
		out := filepath.Join(dir, "out")
		mustRefuse(t, selfplay("", smallRun(out, strings.Fields(flags)...)...), 2, want)
		if list, _ := os.ReadDir(dir); len(list) != 1 {
			t.Errorf("%s: wrote %v", flags, list)
		}
	}
}

// wanted are metrics that alerts use.
var wanted = []string{"selfplay_running", "selfplay_rows_made_total", "selfplay_games_played_total", "selfplay_shards_committed_total",
	"selfplay_failures_total", "selfplay_last_commit_age_seconds", "selfplay_workers_busy", "selfplay_workers",
	"selfplay_dataset_rows", "selfplay_dataset_games", "selfplay_dataset_shards", "selfplay_dataset_target_games"}

// metricsIn returns the values by name. Each has HELP and TYPE before it, and the label of
// the dataset.
func metricsIn(t *testing.T, text, out string) map[string]string {
	t.Helper()
	values := map[string]string{}
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	for i := 0; i+2 < len(lines); i += 3 {
		name, rest, _ := strings.Cut(lines[i+2], "{")
		kind := "gauge"
		if strings.HasSuffix(name, "_total") {
			kind = "counter"
		}
		labels, value, _ := strings.Cut(rest, "} ")
		if !strings.HasPrefix(lines[i], "# HELP "+name+" ") || lines[i+1] != "# TYPE "+name+" "+kind ||
			!strings.HasPrefix(labels, fmt.Sprintf("dataset=%q", out)) || !strings.HasPrefix(name, "selfplay_") {
			t.Errorf("%s\n%s\n%s", lines[i], lines[i+1], lines[i+2])
		}
		values[name] = value
	}
	for _, name := range wanted {
		if values[name] == "" {
			t.Errorf("no %s in\n%s", name, text)
		}
	}
	return values
}

func TestMetricsFileHasTheLastNumbers(t *testing.T) {
	dir := t.TempDir()
	out, metrics := filepath.Join(dir, "out"), filepath.Join(dir, "run.prom")
	s := mustParse[status.Run](t, must(t, smallRun(out, "--json", "--quiet", "--metrics", metrics)...))
	text, err := os.ReadFile(metrics)
	if err != nil {
		t.Fatal(err)
	}
	got := metricsIn(t, string(text), out)
	for name, want := range map[string]string{
		"selfplay_running": "0", "selfplay_exit_code": "0", "selfplay_games_played_total": "6", "selfplay_rows_made_total": fmt.Sprint(s.Rows),
		"selfplay_dataset_rows": fmt.Sprint(s.Rows), "selfplay_shards_committed_total": "2", "selfplay_failures_total": "0", "selfplay_workers_busy": "0",
	} {
		if got[name] != want {
			t.Errorf("%s %s, want %s", name, got[name], want)
		}
	}
}

// TestMetricsAreServedWhileTheRunWorks, and not longer.
func TestMetricsAreServedWhileTheRunWorks(t *testing.T) {
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := free.Addr().String()
	free.Close()
	out := filepath.Join(t.TempDir(), "out")
	process, stderr := start(t, "run", "--game", "contrast", "--games", "1000000", "--shard-games", "20", "--out", out, "--metrics", addr)
	waitForShards(t, out, 2)
	r, err := http.Get("http://" + addr + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	body, _ := io.ReadAll(r.Body)
	r.Body.Close()
	if got := metricsIn(t, string(body), out); got["selfplay_running"] != "1" || got["selfplay_dataset_games"] == "0" || got["selfplay_eta_seconds"] == "" {
		t.Errorf("%s", body)
	}
	process.Process.Signal(os.Interrupt)
	if code := exitCode(process.Wait()); code != 3 {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	if _, err := http.Get("http://" + addr + "/metrics"); err == nil {
		t.Error("the address is still served")
	}
}

func TestPanicIsAFailure(t *testing.T) {
	var s status.Run
	setOutcome(&s, fmt.Errorf("make shard 3: %w", &workers.PanicError{Game: 7}), 1)
	if s.State != status.Failed || s.Failures != 1 || *s.ExitCode != 1 {
		t.Errorf("%+v", s)
	}
	s = status.Run{}
	if setOutcome(&s, errors.New("disk"), 1); s.State != status.Failed || s.Failures != 0 {
		t.Errorf("%+v", s)
	}
}

// TestWhatIsPublishedChangesNoByte of the dataset.
func TestWhatIsPublishedChangesNoByte(t *testing.T) {
	dir := t.TempDir()
	plain, watched := filepath.Join(dir, "plain"), filepath.Join(dir, "watched")
	must(t, smallRun(plain, "--quiet")...)
	must(t, slices.Concat(smallRun(watched, "--json", "--quiet"), []string{"--metrics", "127.0.0.1:0", "--status-file", filepath.Join(dir, "s.json")})...)
	mustEqual(t, tree(t, watched), tree(t, plain))
}
