//go:build !nos3

package program

import (
	"bufio"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"selfplay/datasets/status"
	"selfplay/internal/must"
)

// storeStatus returns the last line of status --json, and its text.
func storeStatus(t *testing.T, url string) (s status.Status, text string) {
	t.Helper()
	return lookAt(t, url), mustRun(t, "status", url)
}

// TestStatusOfAStore: it says what can be known, and not what only looks so.
func TestStatusOfAStore(t *testing.T) {
	server := startStore(t)
	url := server.Dataset("d")
	mustRun(t, taskRun(url, "--task-count", "2", "--task-index", "0")...)
	here, text := storeStatus(t, url)
	if !here.Store || here.DiskFree != nil || here.DiskNeeded != nil || here.ScratchFree == nil || here.GamesDone != 60 || here.Target != 120 ||
		!strings.Contains(text, "scratch") || strings.Contains(text, "\ndisk") {
		t.Errorf("on the machine of the task: %+v\n%s", here, text)
	}
	moveScratch(t)
	there, text := storeStatus(t, url)
	if there.State != status.Unfinished || there.ScratchFree != nil || there.DiskFree != nil || there.GamesDone != 60 ||
		!strings.Contains(text, "unfinished; processes of other machines are not seen") || !strings.Contains(text, "if no run works on the dataset") {
		t.Errorf("on another machine: %+v\n%s", there, text)
	}
}

// TestWatchOfAStore: on a machine without a process, it looks until all games are committed.
func TestWatchOfAStore(t *testing.T) {
	server := startStore(t)
	url := server.Dataset("d")
	mustRun(t, taskRun(url, "--task-count", "2", "--task-index", "0")...)
	process := newProcess(t, nil, "status", "--watch", "--json", "--interval", "100ms", "--scratch", t.TempDir(), url)
	pipe, err := process.StdoutPipe()
	if err == nil {
		err = process.Start()
	}
	must.Do(t, err)
	defer process.Process.Kill()
	var looks []status.Status
	for lines := bufio.NewScanner(pipe); lines.Scan(); {
		var s status.Status
		must.Do(t, json.Unmarshal(lines.Bytes(), &s))
		if looks = append(looks, s); len(looks) == 1 { // no process works, and games are missing
			mustRun(t, taskRun(url, "--task-count", "2", "--task-index", "1")...)
		}
	}
	if code := waitOrKill(t, process, 20*time.Second); code != 0 || len(looks) < 2 {
		t.Fatalf("exit code %d after %d looks", code, len(looks))
	}
	if s := looks[len(looks)-1]; s.State != status.Done || s.GamesDone != 120 || s.GamesPerS == 0 || s.Complete {
		t.Errorf("at the end: %+v", s)
	}
}
