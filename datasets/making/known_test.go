package making

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"selfplay/datasets"
	"selfplay/datasets/checking"
	"selfplay/datasets/disk"
	"selfplay/datasets/internal/fault"
	"selfplay/datasets/plan"
	"selfplay/internal/must"
)

// TestAProcessHashesAFileOnce: as long as path, size, time and inode stay the same it believes the sum that it has
// computed. A file that is written again or replaced is hashed again, and verification believes nothing.
func TestAProcessHashesAFileOnce(t *testing.T) {
	root := made(t, fakePlan(), 8)
	ds, p := firstPart(t, root)
	name := filepath.Join(root, p.Files[plan.PositionsFile].Name)
	check := func(ds *datasets.Dataset) error {
		part := ds.Part(p)
		defer part.Close()
		return part.Check(plan.PositionsFile)
	}
	must.Do(t, check(ds))
	whole := must.Get(os.ReadFile(name))(t)
	damaged := bytes.Clone(whole)
	damaged[len(damaged)/2] ^= 4
	written := must.Get(os.Stat(name))(t).ModTime()

	must.Do(t, os.WriteFile(name, damaged, 0o644)) // the same inode
	must.Do(t, os.Chtimes(name, written, written))
	if err := check(must.Get(datasets.Open(root))(t)); err != nil {
		t.Errorf("the file was hashed again: %v", err)
	}
	d := disk.Dir{Root: root, FS: disk.OS{}}
	if err := check(datasets.New(d, readPlan(t, d))); !errors.Is(err, fault.ErrCorrupt) {
		t.Errorf("%v, want %v of a dataset that is made or verified", err, fault.ErrCorrupt)
	}
	for _, level := range []checking.VerifyLevel{checking.VerifySums, checking.VerifyDeep} {
		if got := problems(t, root, level); got != p.Files[plan.PositionsFile].Name {
			t.Errorf("level %d: problems %q", level, got)
		}
	}

	later := written.Add(1)
	must.Do(t, os.Chtimes(name, later, later))
	if err := check(ds); !errors.Is(err, fault.ErrCorrupt) {
		t.Errorf("another time: %v, want %v", err, fault.ErrCorrupt)
	}
	must.Do(t, os.WriteFile(name+".new", whole, 0o644))
	must.Do(t, os.Chtimes(name+".new", later, later))
	must.Do(t, os.Rename(name+".new", name)) // another inode of the same size and time
	if err := check(ds); err != nil {
		t.Errorf("another inode: %v", err)
	}
}
