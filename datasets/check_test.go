package datasets

import (
	"errors"
	"testing"

	"selfplay/datasets/internal/fault"
	"selfplay/datasets/plan"
)

// TestLightCheck: of a Parquet file, it misses flipped bits that still decode, and finds a
// file that is cut off. Of an Arrow file, it finds everything. The full check finds all.
func TestLightCheck(t *testing.T) {
	for _, f := range formats {
		t.Run(f.name, func(t *testing.T) {
			root, p := t.TempDir(), f.plan()
			makeIn(t, root, p, 1, fakeOptions())
			ds := openOn(t, loadDisk(t, root, root), root)
			commits, err := ds.Commits()
			if err != nil {
				t.Fatal(err)
			}
			want, spec := commits[0].Files[PositionsFile], commits[0].spec(ds.h, PositionsFile)
			check := func(l CheckLevel) error { return l.check(ds.d, want.Name, spec, want) }
			missed := 0
			flipBytes(t, ds.d, want.Name, 5, func() bool {
				if check(CheckLight) == nil {
					missed++
				}
				return errors.Is(check(CheckFull), fault.ErrCorrupt)
			})
			if (missed > 0) != (p.Format == plan.Parquet) {
				t.Errorf("%d flipped bits are missed", missed)
			}
			inode := ds.d.FS.(*memoryDisk).get(ds.d.Path(want.Name))
			inode.data = inode.data[:len(inode.data)-1]
			if err := check(CheckLight); !errors.Is(err, fault.ErrCorrupt) {
				t.Errorf("a file that is cut off: %v", err)
			}
		})
	}
}
