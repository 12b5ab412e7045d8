package making

import (
	"errors"
	"testing"

	"selfplay/datasets/disk"
	"selfplay/datasets/internal/fault"
	"selfplay/datasets/plan"
	"selfplay/datasets/record"
	"selfplay/internal/must"
)

// TestLightCheck: of a Parquet file, it misses flipped bits that still decode, and finds a
// file that is cut off. Of an Arrow file, it finds everything. The full check finds all.
func TestLightCheck(t *testing.T) {
	for _, f := range formats {
		t.Run(f.name, func(t *testing.T) {
			root, p := t.TempDir(), f.plan()
			makeIn(t, root, p, 1, fakeOptions())
			d := disk.Dir{Root: root, FS: loadDisk(t, root, root)}
			part := must.Get(openOn(t, d.FS, root).Parts())(t)[0]
			want, spec := part.Files[plan.PositionsFile], part.Spec(readPlan(t, d), plan.PositionsFile)
			check := func(l record.CheckLevel) error { return l.Check(d, want.Name, spec, want) }
			missed := 0
			flipBytes(t, d, want.Name, 5, func() bool {
				if check(record.CheckLight) == nil {
					missed++
				}
				return errors.Is(check(record.CheckFull), fault.ErrCorrupt)
			})
			if (missed > 0) != (p.Format == plan.Parquet) {
				t.Errorf("%d flipped bits are missed", missed)
			}
			inode := d.FS.(*memoryDisk).get(d.Path(want.Name))
			inode.data = inode.data[:len(inode.data)-1]
			must.Fail(check(record.CheckLight))(t, fault.ErrCorrupt, "")
		})
	}
}
