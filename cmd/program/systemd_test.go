package program

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/app"
	"selfplay/internal/must"
)

const units = repository + "/deploy/systemd"

// settings returns the values of a setting in a unit.
func settings(t *testing.T, unit, name string) (values []string) {
	t.Helper()
	raw := must.Get(os.ReadFile(filepath.Join(units, unit)))(t)
	for line := range strings.Lines(string(raw)) {
		if value, ok := strings.CutPrefix(line, name+"="); ok {
			values = append(values, strings.TrimSpace(value))
		}
	}
	return values
}

// TestServiceWaitsLongerThanTheGrace: otherwise systemd kills a run that is stopping.
func TestServiceWaitsLongerThanTheGrace(t *testing.T) {
	var grace time.Duration
	for _, f := range stopFlags() {
		if d, ok := f.(*cli.DurationFlag); ok && d.Name == "grace" {
			grace = d.Value
		}
	}
	wait, err := strconv.Atoi(settings(t, "selfplay@.service", "TimeoutStopSec")[0])
	if err != nil || grace == 0 || time.Duration(wait)*time.Second < 2*grace {
		t.Errorf("waits %d s for a grace of %v, %v", wait, grace, err)
	}
	if code := settings(t, "selfplay@.service", "SuccessExitStatus"); !slices.Equal(code, []string{strconv.Itoa(app.Stopped)}) {
		t.Errorf("success is %q, want %d", code, app.Stopped)
	}
}

// TestServiceRunsAndVerifies runs the commands of the service on a small dataset, with its
// parameters file.
func TestServiceRunsAndVerifies(t *testing.T) {
	dir := t.TempDir()
	lines := settings(t, "selfplay@.service", "ExecStart")
	if len(lines) != 2 {
		t.Fatalf("commands %q", lines)
	}
	raw := must.Get(os.ReadFile(filepath.Join(units, "night.yaml")))(t)
	config := filepath.Join(dir, "night.yaml")
	few := strings.NewReplacer("200k", "4", "balanced", "bulk").Replace(string(raw)) + "shard-games: 2\n"
	must.Do(t, os.WriteFile(config, []byte(few), 0o644))
	paths := strings.NewReplacer("/etc/selfplay/%i.yaml", config, "%S/selfplay/%i", filepath.Join(dir, "night"))
	for _, line := range lines {
		words := strings.Fields(line)
		for i := range words {
			words[i] = paths.Replace(words[i])
		}
		if words[0] != "/usr/local/bin/selfplay" {
			t.Errorf("program %s", words[0])
		}
		mustRun(t, words[1:]...)
	}
}

// TestUnitsPassTheCheckOfSystemd: the program may be at another place on this machine.
func TestUnitsPassTheCheckOfSystemd(t *testing.T) {
	analyze, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Skip("no systemd-analyze")
	}
	program := must.Get(os.Executable())(t)
	dir := t.TempDir()
	args := []string{"verify", "--man=no"}
	for _, name := range []string{"selfplay@.service", "selfplay@.timer"} {
		raw := must.Get(os.ReadFile(filepath.Join(units, name)))(t)
		text := strings.ReplaceAll(string(raw), "/usr/local/bin/selfplay", program)
		must.Do(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
		args = append(args, filepath.Join(dir, strings.Replace(name, "@", "@night", 1)))
	}
	if out, err := exec.Command(analyze, args...).CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("%v\n%s", err, out)
	}
}
