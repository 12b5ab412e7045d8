package disk

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"selfplay/internal/must"
)

// TestNothingOutsideOfADatasetIsRemoved: a link takes the place of a folder after CheckFolders.
func TestNothingOutsideOfADatasetIsRemoved(t *testing.T) {
	const temp, lease = "1-ab.plan.json", "2-cd.lock"
	d, outside := Dir{Root: t.TempDir(), FS: OS{}, Owner: "9-ff"}, t.TempDir()
	for _, name := range []string{temp, lease} {
		must.Do(t, os.WriteFile(filepath.Join(outside, name), []byte("mine"), 0o644))
	}
	must.Do(t, os.Mkdir(d.Path(Hidden), 0o755))
	if err := os.Symlink(outside, d.Path(TempFolder)); err != nil {
		t.Skip(err)
	}
	if err := d.Remove(TempFolder + "/" + temp); err == nil {
		t.Error("no error")
	}
	for _, shared := range []bool{false, true} {
		if err := d.Sweep(shared); err == nil {
			t.Errorf("sweep, shared %t: no error", shared)
		}
	}
	leaseOf(d, "2-cd").Release()
	mustHold(t, outside, temp, lease)
}

func TestRemoveOfAMissingFileIsNoError(t *testing.T) {
	d := Dir{Root: t.TempDir(), FS: OS{}}
	for _, name := range []string{"missing", "missing/file"} {
		if err := d.Remove(name); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		must.Fail(d.FS.Remove(d.Root, name))(t, fs.ErrNotExist, "")
	}
}
