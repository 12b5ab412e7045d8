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
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"selfplay/datasets/status"
	"selfplay/engine/enginetest"
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

// volatile are the values of JSON and of metrics that differ between two runs or machines.
var volatile = regexp.MustCompile(`("(?:started|updated|last_commit|elapsed_s|pid|bytes|workers|\w+_per_[sh]|plan_hash)":)("[^"]*"|[0-9.]+)` +
	`|(?m)^(selfplay_(?:(?:start|updated|last_commit)\w+|disk_free_bytes|workers|worker_seconds_total|dataset_bytes){.*} )\S+$|((?:plan|version)=)"[^"]*"`)

// checkPublished compares what runs publish with a golden file, which has a folder as DIR.
func checkPublished(t *testing.T, name, text, dir string) {
	t.Helper()
	text = volatile.ReplaceAllString(strings.ReplaceAll(text, dir, "DIR"), "$1$3${4}_")
	enginetest.Golden(t, filepath.Join("testdata", name), text, "Scripts and alerts read these names: add some, rename none")
}

// TestRunJSON: stdout is the summary as one object, with and without --quiet, and the status
// file has the same. The second run extends the dataset, the third has nothing to do, and the last
// one is a task.
func TestRunJSON(t *testing.T) {
	dir := t.TempDir()
	out, file := filepath.Join(dir, "out"), filepath.Join(dir, "status.json")
	text := must(t, smallRun(out, "--json", "--status-file", file)...)
	if got, err := os.ReadFile(file); err != nil || string(got) != text {
		t.Errorf("the status file has %s, %v, want %s", got, err, text)
	}
	text += must(t, smallRun(out, "--json", "--quiet", "--games", "7")...)
	text += must(t, smallRun(out, "--json")...)
	text += must(t, smallRun(filepath.Join(dir, "tasks"), "--json", "--task-count", "2", "--task-index", "1")...)
	checkPublished(t, "run_json.txt", text, dir)
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
	if now.Games <= first.Games || now.Rows <= first.Rows || now.LastCommit.Before(first.Started) || !now.Updated.After(first.Updated) || now.ETA == nil || now.RowsPerS <= 0 {
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
	var text strings.Builder
	for _, flags := range []string{
		"--metrics " + busy.Addr().String(), "--metrics 9100", "--metrics run.txt", "--metrics=", "--metrics " + dir + "/none/x.prom",
		"--status-file=", "--status-file " + dir, "--status-file x.prom --metrics ./x.prom",
		"--status-file run.go --out " + filepath.Join(dir, "new"), "--out " + whole + " --status-file " + whole + "/s.json",
	} {
		o := selfplay("", smallRun(filepath.Join(dir, "out"), strings.Fields(flags)...)...)
		mustRefuse(t, o, 2, "")
		fmt.Fprintf(&text, "%s\n> %s\n", flags, o.stderr)
		if list, _ := os.ReadDir(dir); len(list) != 1 {
			t.Errorf("%s: wrote %v", flags, list)
		}
	}
	checkPublished(t, "publish_refusals.txt", strings.ReplaceAll(text.String(), busy.Addr().String(), "ADDR"), dir)
}

func TestMetricsFileHasTheLastNumbers(t *testing.T) {
	dir := t.TempDir()
	metrics := filepath.Join(dir, "run.prom")
	must(t, smallRun(filepath.Join(dir, "out"), "--quiet", "--metrics", metrics)...)
	text, err := os.ReadFile(metrics)
	if err != nil {
		t.Fatal(err)
	}
	checkPublished(t, "metrics.txt", string(text), dir)
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
	for _, want := range []string{`selfplay_running{.*} 1`, `selfplay_dataset_games{.*} [1-9].*`, `selfplay_eta_seconds{.*} .+`} {
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
