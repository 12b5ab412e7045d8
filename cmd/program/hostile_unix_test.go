//go:build unix

package program

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"selfplay/internal/must"
)

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
