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
