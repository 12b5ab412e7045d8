package making

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"selfplay/datasets/checking"
	"selfplay/datasets/disk"
	"selfplay/datasets/internal/fault"
	"selfplay/internal/must"
)

// TestRepairSurvivesAKill kills the repair of every damage at its operations. Another
// repair must then continue, and so must a run, unless it finds damage. Without -torture it
// tries every third operation, beginning at another one for each damage: the repairs share
// their steps, so together they still end at every step.
func TestRepairSurvivesAKill(t *testing.T) {
	step := 3
	if *torture {
		step = 1
	}
	for i, tt := range damages {
		t.Run(tt.name, func(t *testing.T) {
			from, root := t.TempDir(), lockableRoot(t)
			makeIn(t, from, fakePlan(), 8, fakeOptions())
			whole := tree(t, from)
			tt.damage(t, from, whole)
			before, checked := loadDisk(t, from, root), map[string]bool{}
			for fail := 1 + i%step; ; fail += step {
				d := before.clone()
				failing := &failingDisk{FS: d, fail: fail, dead: true}
				_, err := checking.RepairIn(t.Context(), disk.Dir{Root: root, FS: failing}, checking.RepairOptions{Verify: checking.VerifyOptions{Level: checking.VerifySums}})
				if failing.n < fail {
					must.Do(t, err)
					break
				}
				if state := d.state(root); !checked[state] {
					checked[state] = true
					checkAfterKill(t, d, root, whole)
				}
				if t.Failed() {
					t.Fatalf("operation %d", fail)
				}
			}
		})
	}
}

// checkAfterKill runs Make on a copy of a disk, and then repairs and completes the dataset.
func checkAfterKill(t *testing.T, d *memoryDisk, root string, whole map[string]string) {
	t.Helper()
	o := fakeOptions()
	o.Disk = d.clone()
	if _, err := Make(t.Context(), root, fakePlan(), 8, o); err != nil && !errors.Is(err, fault.ErrCorrupt) && !errors.Is(err, fault.ErrNondeterminism) {
		t.Errorf("run: %v", err)
	}
	dir := disk.Dir{Root: root, FS: d}
	r := must.Get(checking.RepairIn(t.Context(), dir, checking.RepairOptions{Verify: checking.VerifyOptions{Level: checking.VerifySums}}))(t)
	if got := problemsOn(t, dir, checking.VerifySums); got != "" && len(r.Left) == 0 {
		t.Errorf("problems of %q", got)
	}
	o.Disk = d
	makeIn(t, root, fakePlan(), 8, o)
	sameTree(t, d.tree(root), whole)
}

// copyOf returns a copy of a dataset.
func copyOf(t *testing.T, from string) string {
	t.Helper()
	root := filepath.Join(t.TempDir(), "copy")
	must.Do(t, os.CopyFS(root, os.DirFS(from)))
	return root
}
