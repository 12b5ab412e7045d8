package ucitest

import (
	"os"
	"strconv"
	"strings"
	"testing"
	"time"
)

// MustEnd checks that the processes listed in a file end.
func MustEnd(t *testing.T, pids string) {
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
