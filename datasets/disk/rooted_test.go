package disk

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"selfplay/internal/must"
)

// TestLinksOutOfARootAreNotFollowed: those that stay inside are.
func TestLinksOutOfARootAreNotFollowed(t *testing.T) {
	root, outside := t.TempDir(), filepath.Join(t.TempDir(), "secret")
	for _, name := range []string{outside, filepath.Join(root, "file")} {
		must.Do(t, os.WriteFile(name, []byte("x"), 0o600))
	}
	away := must.Get(filepath.Rel(root, outside))(t)
	for name, target := range map[string]string{
		"inside": "file", "absolute": outside, "relative": away, "dangling": "none", "dangling outside": outside + "none",
		"folder": filepath.Dir(outside),
	} {
		if err := os.Symlink(target, filepath.Join(root, name)); err != nil {
			t.Skip("no links here")
		}
	}
	d := Dir{Root: root, FS: OS{}}.Rooted()
	for name, want := range map[string]error{
		"file": nil, "inside": nil, "absolute": ErrOutside, "relative": ErrOutside, "folder/secret": ErrOutside,
		"none": fs.ErrNotExist, "dangling": fs.ErrNotExist, "dangling outside": fs.ErrNotExist,
	} {
		f, err := d.FS.Open(d.Path(name))
		if !errors.Is(err, want) || (f == nil) != (want != nil) {
			t.Errorf("%s: %v, want %v", name, err, want)
		}
		if f != nil {
			f.Close()
		}
	}
}

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
