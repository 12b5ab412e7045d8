package cmdtest

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"selfplay/datasets/disk"
	"selfplay/internal/must"
)

// TempInMemory keeps temporary folders in memory if that is possible and no other place is asked for. On a disk
// tests of datasets spend most of their time in fsync.
func TempInMemory() {
	const memory, enough = "/dev/shm", 1 << 30
	if free, _, ok := (disk.OS{}).Space(memory); ok && free > enough && os.Getenv("TMPDIR") == "" {
		os.Setenv("TMPDIR", memory)
	}
}

// bookkeeping is the folder of a dataset that its readers do not see.
const bookkeeping = ".selfplay"

// Tree returns the content of every file below a folder that readers of a dataset see, by its name.
func Tree(t testing.TB, dir string) map[string]string {
	t.Helper()
	files, err := tree(dir, false)
	must.Do(t, err)
	return files
}

// tree is Tree. With all it also returns the bookkeeping of datasets, and folders, whose names end with a
// slash.
func tree(dir string, all bool) (map[string]string, error) {
	files := map[string]string{}
	return files, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		name, _ := filepath.Rel(dir, path)
		name = filepath.ToSlash(name)
		switch {
		case err != nil:
			return err
		case d.IsDir() && d.Name() == bookkeeping && !all:
			return fs.SkipDir
		case d.IsDir() && all:
			files[name+"/"] = ""
		case d.Type().IsRegular():
			files[name], err = read(path)
		}
		return err
	})
}

// MustEqual compares two trees byte for byte.
func MustEqual(t testing.TB, got, want map[string]string) {
	t.Helper()
	for _, change := range changes(want, got) {
		t.Errorf("%s: missing (-), unexpected (+) or different (~)", change)
	}
}
