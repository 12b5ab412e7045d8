package cmdtest

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

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
	files, err := tree(dir, false, read)
	must.Do(t, err)
	return files
}

// tree is Tree, with a function that reads a file. With all it also returns the bookkeeping of datasets, and
// folders, whose names end with a slash.
func tree(dir string, all bool, read func(path string) (string, error)) (map[string]string, error) {
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

// fileCache holds the content of files that a session has read.
type fileCache map[string]cachedFile

type cachedFile struct {
	info os.FileInfo
	text string
	old  bool // it was last written long before it was read: each later write changes its time
}

// tick is more than the resolution of a file's time.
const tick = 50 * time.Millisecond

// tree returns all files below a folder, and reads only those that may have changed since it was last asked.
func (c fileCache) tree(dir string) (map[string]string, error) { return tree(dir, true, c.read) }

func (c fileCache) read(path string) (string, error) {
	now := time.Now()
	info, err := os.Lstat(path)
	if err != nil {
		return "", err
	}
	known := c[path]
	if known.old && os.SameFile(info, known.info) && info.Size() == known.info.Size() && info.ModTime().Equal(known.info.ModTime()) {
		return known.text, nil
	}
	text, err := read(path)
	c[path] = cachedFile{info, text, now.Sub(info.ModTime()) > tick}
	return text, err
}

// MustEqual compares two trees byte for byte.
func MustEqual(t testing.TB, got, want map[string]string) {
	t.Helper()
	for _, change := range changes(want, got) {
		t.Errorf("%s: missing (-), unexpected (+) or different (~)", change)
	}
}
