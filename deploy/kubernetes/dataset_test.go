package kubernetes

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestJobsMakeTheDatasetOfALocalRun runs the commands of the jobs, with few games, for every task
// number, and compares the dataset with that of one run.
func TestJobsMakeTheDatasetOfALocalRun(t *testing.T) {
	m, dir := load(t), t.TempDir()
	program := filepath.Join(dir, "selfplay")
	execute(t, "../..", "", "go", "build", "-o", program, "./cmd/selfplay")
	few := strings.NewReplacer("200k", "32", "balanced", "bulk").Replace(m.config.Data["night.yaml"]) + "shard-games: 2\n"
	if err := os.WriteFile(filepath.Join(dir, "night.yaml"), []byte(few), 0o644); err != nil {
		t.Fatal(err)
	}
	play := func(index, out string, args []string) {
		args = append([]string{program}, args...)
		for i := range args {
			args[i] = strings.NewReplacer("/etc/selfplay", dir, "/data/night", filepath.Join(dir, out)).Replace(args[i])
		}
		execute(t, dir, index, args...)
	}
	for _, index := range strings.Fields("5 0 1 2 3 4 6 7 8 9 10 11 12 13 14 15") {
		play(index, "jobs", first(&m.run).Args)
	}
	play("", "jobs", pod(&m.finalize).InitContainers[0].Args)
	play("", "jobs", first(&m.finalize).Args)
	play("", "local", []string{"run", "--config", "/etc/selfplay/night.yaml", "--out", "/data/night"})
	execute(t, dir, "", "diff", "-r", "local", "jobs")
}

// execute runs a command, which must succeed, as the task with a number.
func execute(t *testing.T, dir, index string, args ...string) {
	t.Helper()
	c := exec.Command(args[0], args[1:]...)
	c.Dir, c.Env = dir, append(os.Environ(), "JOB_COMPLETION_INDEX="+index)
	if text, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%q: %v\n%s", args, err, text)
	}
}
