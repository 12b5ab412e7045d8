//go:build unix

package making

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"selfplay/datasets/checking"
	"selfplay/datasets/journal"
	"selfplay/datasets/plan"
)

// TestPipesAsBookkeepingFilesAreNamed: no command waits for a writer of the pipe.
func TestPipesAsBookkeepingFilesAreNamed(t *testing.T) {
	whole := t.TempDir()
	makeIn(t, whole, fakePlan(), 9, fakeOptions())
	for _, name := range []string{plan.FileName, plan.ManifestName, plan.CardName, plan.CroissantName, plan.TargetName, plan.CommitName(0), plan.CommitName(1), plan.SupersededName(1), journal.Folder + "/00003.ab.log", "positions/train-00000.parquet"} {
		t.Run(name, func(t *testing.T) {
			root := copyOf(t, whole)
			path := filepath.Join(root, name)
			if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
				t.Fatal(err)
			}
			if err := syscall.Mkfifo(path, 0o644); err != nil {
				t.Skip(err)
			}
			defer time.AfterFunc(time.Minute, func() { panic("still waiting for the pipe " + name) }).Stop()
			r, err := checking.Verify(t.Context(), root, checking.VerifyOptions{Level: checking.VerifySums})
			if err == nil && !r.OK() && !slices.ContainsFunc(r.Problems, func(p checking.Problem) bool { return p.Path == name }) {
				t.Errorf("%v", r.Problems)
			}
			for _, command := range []string{"run", "finalize", "repair"} {
				if err := writers[command](t, root); err != nil && (!strings.Contains(err.Error(), filepath.Base(name)) || strings.Contains(err.Error(), "\n")) {
					t.Errorf("%s: %v", command, err)
				}
			}
		})
	}
}
