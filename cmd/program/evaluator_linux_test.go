package program

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"selfplay/internal/must"
)

// TestKilledProgramLeavesNoModelBehind: not even one that hangs behind a script, ignores signals and reads no end of its
// input.
func TestKilledProgramLeavesNoModelBehind(t *testing.T) {
	dir := t.TempDir()
	script, number := filepath.Join(dir, "model.sh"), filepath.Join(dir, "pid")
	text := "#!/bin/sh\ntrap '' TERM HUP INT\necho $$ > " + number + "\n'" + must.Get(os.Executable())(t) + "' " + modelWord + " hangs=60\n"
	must.Do(t, os.WriteFile(script, []byte(text), 0o700))
	out := filepath.Join(dir, "out")
	process, _ := start(t, modelRun(out, "--evaluator=mine="+script)...)
	waitUntil(t, "games", func() bool {
		_, err := os.Stat(filepath.Join(out, "plan.json"))
		return err == nil
	})
	group := must.Get(strconv.Atoi(strings.TrimSpace(readText(number))))(t)
	must.Do(t, process.Process.Kill())
	_ = process.Wait() // killed
	waitUntil(t, "the end of the model", func() bool { return errors.Is(syscall.Kill(-group, 0), syscall.ESRCH) })
}
