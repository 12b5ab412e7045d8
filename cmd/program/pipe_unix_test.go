//go:build unix

package program

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"selfplay/internal/must"
)

// runUnread runs the program with a stderr whose reader has ended, and returns its exit
// code. With both, stdout is the same pipe, as in `selfplay run 2>&1 | head`.
func runUnread(t *testing.T, both bool, args ...string) int {
	t.Helper()
	reader, writer, err := os.Pipe()
	must.Do(t, err)
	defer writer.Close()
	reader.Close()
	process := newProcess(t, nil, args...)
	process.Stderr = writer
	if both {
		process.Stdout = writer
	}
	return exitCode(process.Run())
}

// TestRunStopsInOrderWhenNothingReadsItsLog: with the exit code of a stop, not by SIGPIPE.
// The same command resumes, without a trace in the bytes.
func TestRunStopsInOrderWhenNothingReadsItsLog(t *testing.T) {
	dir := t.TempDir()
	whole := wholeLongRun(t)
	for name, both := range map[string]bool{"stderr": false, "both": true} {
		stopped := filepath.Join(dir, name)
		if code := runUnread(t, both, longRun(stopped)...); code != 3 {
			t.Errorf("%s: exit code %d, want 3", name, code)
		}
		mustRun(t, longRun(stopped)...)
		mustEqual(t, tree(t, stopped), tree(t, whole))
	}
}

// TestErrorThatNothingReadsHasItsExitCode: the line about the error is lost, not the code.
func TestErrorThatNothingReadsHasItsExitCode(t *testing.T) {
	if code := runUnread(t, true, "run", "--game", "chess", "--games", "0", "--out", t.TempDir()); code != 2 {
		t.Errorf("exit code %d, want 2", code)
	}
}

// TestFinalizeDeletesNothingBehindALink: a copied dataset may hold a link in the place of its
// folder for temporary files.
func TestFinalizeDeletesNothingBehindALink(t *testing.T) {
	dir, outside := filepath.Join(t.TempDir(), "d"), t.TempDir()
	args := []string{"run", "--game", "contrast", "--player", "random", "--games", "4", "--shard-games", "2", "--seed", "1", "--out", dir}
	mustRun(t, args...)
	victim, folder := filepath.Join(outside, "1-ab.plan.json"), filepath.Join(dir, ".selfplay", "tmp")
	for _, err := range []error{os.WriteFile(victim, nil, 0o644), os.RemoveAll(folder), os.Symlink(outside, folder)} {
		must.Do(t, err)
	}
	for _, args := range [][]string{args, {"finalize", dir}, {"export", "repair", dir}} {
		mustRefuse(t, selfplay("", args...), 1, ".selfplay/tmp is a link")
	}
	if _, err := os.Stat(victim); err != nil {
		t.Error(err)
	}
}

func TestRunInsideADatasetIsRefused(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "d")
	run := func(out string) outcome {
		return selfplay("", "run", "--game", "contrast", "--player", "random", "--games", "2", "--shard-games", "2", "--seed", "1", "--out", out)
	}
	if o := run(dir); o.code != 0 {
		t.Fatal(o.stderr)
	}
	mustRefuse(t, run(filepath.Join(dir, "positions", "sub")), 2, "inside another dataset")
	mustRun(t, "verify", dir)
}

func TestPipeAsConfigIsRefused(t *testing.T) {
	pipe, dir := filepath.Join(t.TempDir(), "pipe"), filepath.Join(t.TempDir(), "d")
	if err := syscall.Mkfifo(pipe, 0o644); err != nil {
		t.Skip(err)
	}
	for _, config := range []string{pipe, "/dev/zero"} {
		mustRefuse(t, selfplay("", "run", "--config", config, "--game", "contrast", "--player", "random", "--games", "2", "--out", dir), 2, "not a regular file")
	}
}
