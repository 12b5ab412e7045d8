//go:build unix

package program

import (
	"os"
	"path/filepath"
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
