package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestMain lets the test binary be the program, so that tests can kill it.
func TestMain(m *testing.M) {
	if os.Getenv("SELFPLAY_TEST_MAIN") != "" {
		main()
	}
	os.Exit(m.Run())
}

// start starts the program as a process of its own.
func start(t *testing.T, args ...string) (process *exec.Cmd, stderr *strings.Builder) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("there are no signals to send on Windows")
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	process, stderr = exec.Command(exe, args...), new(strings.Builder)
	process.Env = append(os.Environ(), "SELFPLAY_TEST_MAIN=1")
	process.Stderr = stderr
	if err := process.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { process.Process.Kill() })
	return process, stderr
}

// waitForShards waits until so many shards are committed in out.
func waitForShards(t *testing.T, out string, n int) {
	t.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(time.Millisecond) {
		if records, _ := filepath.Glob(filepath.Join(out, ".selfplay", "commits", "*.json")); len(records) >= n {
			return
		}
	}
	t.Fatalf("no %d shards after a minute", n)
}

// longRun returns a command line that makes shards for some seconds.
func longRun(out string) []string {
	games := 1000
	if testing.Short() {
		games = 200
	}
	return []string{"run", "--game", "cotulenh", "--games", fmt.Sprint(games), "--shard-games", "10", "--out", out}
}

func TestRunSurvivesKills(t *testing.T) {
	dir := t.TempDir()
	whole, killed := filepath.Join(dir, "whole"), filepath.Join(dir, "killed")
	must(t, longRun(whole)...)
	for _, shards := range []int{0, 1, 5, 9, 10} {
		process, _ := start(t, longRun(killed)...)
		waitForShards(t, killed, shards)
		process.Process.Kill()
		if process.Wait() == nil {
			t.Log("a run was over before it was killed")
		}
	}
	must(t, longRun(killed)...)
	mustEqual(t, tree(t, killed), tree(t, whole))
}

func TestRunStopsAtASignal(t *testing.T) {
	dir := t.TempDir()
	whole, stopped := filepath.Join(dir, "whole"), filepath.Join(dir, "stopped")
	must(t, longRun(whole)...)
	for _, signal := range []os.Signal{syscall.SIGTERM, os.Interrupt} {
		os.RemoveAll(stopped)
		process, stderr := start(t, longRun(stopped)...)
		waitForShards(t, stopped, 2)
		process.Process.Signal(signal)
		var exit *exec.ExitError
		if err := process.Wait(); !errors.As(err, &exit) || exit.ExitCode() != 3 {
			t.Fatalf("%v: %v, want exit code 3; stderr %s", signal, err, stderr)
		}
		if last := lastLine(stderr.String()); !strings.HasPrefix(last, "selfplay: stopped before the target") {
			t.Errorf("%v: the last line is %q", signal, last)
		}
		waitForShards(t, stopped, 2)
		must(t, longRun(stopped)...)
		mustEqual(t, tree(t, stopped), tree(t, whole))
	}
}

func TestRunRefusesALockedDataset(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	args := []string{"run", "--game", "cotulenh", "--games", "1000000", "--shard-games", "20", "--out", out}
	process, _ := start(t, args...)
	waitForShards(t, out, 1)
	mustRefuse(t, selfplay("", args...), 11, fmt.Sprintf("locked by process %d", process.Process.Pid))
}

func lastLine(text string) string {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	return lines[len(lines)-1]
}
