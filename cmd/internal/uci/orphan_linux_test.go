package uci

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"selfplay/internal/must"
)

// parentArgument makes the test binary play with the engine of the next argument.
const parentArgument = "parent:"

func runParent(text string) { _, _ = playFake(context.Background(), &testing.B{}, text, 100) }

// mustEnd checks that the processes listed in a file end.
func mustEnd(t *testing.T, pids string) {
	t.Helper()
	text, err := os.ReadFile(pids)
	if err != nil || len(text) == 0 {
		t.Fatalf("no process: %v", err)
	}
	for _, word := range strings.Fields(string(text)) {
		pid, _ := strconv.Atoi(word)
		deadline := time.Now().Add(10 * time.Second)
		for isRunning(pid) {
			if time.Now().After(deadline) {
				t.Fatalf("process %d still runs", pid)
			}
			time.Sleep(10 * time.Millisecond)
		}
	}
}

// isRunning reports whether a process runs. An orphan that has ended may remain a zombie.
func isRunning(pid int) bool {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	_, rest, _ := strings.Cut(string(stat), ") ")
	return err == nil && !strings.HasPrefix(rest, "Z")
}

// TestKilledProgramLeavesNoEngine: an engine that ignores the end of its input ends too.
func TestKilledProgramLeavesNoEngine(t *testing.T) {
	pids := filepath.Join(t.TempDir(), "pids")
	parent := exec.Command(os.Args[0], parentArgument, fakeText(t, "stubborn", "arg="+pids))
	must.Do(t, parent.Start())
	for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		if text, _ := os.ReadFile(pids); strings.Count(string(text), "\n") == 2 {
			break
		}
	}
	must.Do(t, parent.Process.Signal(syscall.SIGKILL))
	_ = parent.Wait()
	mustEnd(t, pids)
}
