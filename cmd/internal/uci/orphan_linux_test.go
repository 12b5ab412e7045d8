package uci

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"selfplay/cmd/internal/uci/ucitest"
	"selfplay/internal/must"
)

// parentArgument makes the test binary play with the engine of the next argument.
const parentArgument = "parent:"

func runParent(text string) { _, _ = playFake(context.Background(), &testing.B{}, text, 100) }

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
	ucitest.MustEnd(t, pids)
}
