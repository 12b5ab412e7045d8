//go:build !nos3

package program

import (
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"selfplay/cmd/internal/s3store/s3test"
)

// hangAt lets requests that contain a text in their path hang, and closes reached at the first one.
func hangAt(text string, reached chan struct{}) s3test.Fault {
	var once sync.Once
	return func(r *http.Request) http.HandlerFunc {
		if !strings.Contains(r.URL.Path, text) {
			return nil
		}
		once.Do(func() { close(reached) })
		return s3test.Hang
	}
}

// waitOrKill waits for a process and returns its exit code. After limit it kills the process.
func waitOrKill(t *testing.T, process *exec.Cmd, limit time.Duration) int {
	t.Helper()
	defer time.AfterFunc(limit, func() { process.Process.Kill() }).Stop()
	return exitCode(process.Wait())
}

// patience is the longest time until a process on a loaded machine reaches a request.
const patience = time.Minute

// endAt waits until a request of a process hangs, sends the process a signal unless that is nil, and returns its exit
// code. It kills a process that does not end within limit. One that ends by itself may do so before the request.
func endAt(t *testing.T, process *exec.Cmd, reached chan struct{}, signal os.Signal, limit time.Duration) int {
	t.Helper()
	ended := make(chan int, 1)
	go func() { ended <- exitCode(process.Wait()) }()
	select {
	case <-reached:
	case code := <-ended:
		if signal != nil {
			t.Error("the process ended before the request")
		}
		return code
	case <-time.After(patience):
		t.Errorf("no request within %v", patience)
	}
	if signal != nil {
		process.Process.Signal(signal)
	}
	defer time.AfterFunc(limit, func() { process.Process.Kill() }).Stop()
	return <-ended
}

// TestStopWhileTheStoreHangs: a run ends when its grace is over, and a command that reads ends at once,
// although the store does not answer. The same run later loses no game.
func TestStopWhileTheStoreHangs(t *testing.T) {
	const grace, limit = time.Second, 20 * time.Second
	want := localTree(t, storeRun(filepath.Join(t.TempDir(), "d")))
	for _, c := range []struct {
		name, hangs string
		signal      os.Signal
		args        []string // of run
	}{
		{"a signal during an upload", "positions/train-00002.parquet", syscall.SIGTERM, nil},
		{"--stop-after during an upload", "positions/train-00002.parquet", nil, []string{"--stop-after", "2s"}},
		{"a signal at the beginning", "create-only", syscall.SIGTERM, nil},
		{"--stop-after at the beginning", "create-only", nil, []string{"--stop-after", "1s"}},
		{"a signal at the end", "manifest.json", syscall.SIGTERM, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			server, scratch := startStore(t), t.TempDir()
			url, reached := server.Dataset("d"), make(chan struct{})
			server.SetFault(hangAt(c.hangs, reached))
			args := storeRun(url, "--scratch", scratch, "--grace", grace.String())
			process, stderr := start(t, append(args, c.args...)...)
			if code := endAt(t, process, reached, c.signal, limit); code != 3 || !strings.Contains(stderr.String(), "the same command resumes") {
				t.Errorf("exit code %d, want 3; stderr %s", code, stderr)
			}
			server.SetFault(nil)
			mustRun(t, args...)
			checkEqual(t, server, "d", want)
		})
	}
}

// TestReadersEndWhileTheStoreHangs: with a signal, at once.
func TestReadersEndWhileTheStoreHangs(t *testing.T) {
	server := startStore(t)
	url := server.Dataset("d")
	mustRun(t, storeRun(url)...)
	for _, args := range [][]string{{"info"}, {"verify"}, {"finalize"}, {"status", "--watch"}, {"export", "stats"}} {
		reached := make(chan struct{})
		server.SetFault(hangAt("/d", reached))
		process, stderr := start(t, append(args, url)...)
		if code := endAt(t, process, reached, syscall.SIGTERM, 10*time.Second); code != 3 {
			t.Errorf("%v: exit code %d, want 3; stderr %s", args, code, stderr)
		}
	}
}
