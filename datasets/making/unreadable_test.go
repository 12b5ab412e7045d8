package making

import (
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"selfplay/datasets/checking"
	"selfplay/datasets/disk"
	"selfplay/datasets/plan"
)

// unreadableDisk fails to read one file or folder.
type unreadableDisk struct {
	disk.FS
	name string
}

func (d unreadableDisk) is(name string) bool {
	return strings.HasSuffix(filepath.ToSlash(name), "/"+d.name)
}

// ReadDir returns a part of the folder, as a listing of a store does that ends after a page.
func (d unreadableDisk) ReadDir(name string) ([]fs.DirEntry, error) {
	entries, err := d.FS.ReadDir(name)
	if d.is(name) {
		return entries[:len(entries)/2], errDisk
	}
	return entries, err
}

func (d unreadableDisk) Open(name string) (disk.File, error) {
	if d.is(name) {
		return nil, errDisk
	}
	return d.FS.Open(name)
}

// TestNothingFollowsFromWhatCannotBeRead: a folder that cannot be listed, or a file that cannot be
// read, is the only problem. What it would explain is not called damaged.
func TestNothingFollowsFromWhatCannotBeRead(t *testing.T) {
	root := t.TempDir()
	makeIn(t, root, fakePlan(), 8, fakeOptions())
	for _, name := range []string{
		plan.CommitsFolder, plan.Positions, plan.Games, plan.NetworksFolder, disk.TempFolder,
		plan.CommitName(0), plan.CommitName(2), plan.TargetName, plan.ManifestName, plan.CardName,
		"positions/train-00000.parquet",
	} {
		t.Run(name, func(t *testing.T) {
			dir := disk.Dir{Root: root, FS: unreadableDisk{disk.OS{}, name}}
			r, err := checking.VerifyIn(t.Context(), dir, checking.VerifyOptions{Level: checking.VerifySums})
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range r.Problems {
				if p.Path != name || p.Kind != checking.ProblemUnreadable {
					t.Errorf("%s: %v", p.Kind, p)
				}
			}
			if exists := name != plan.NetworksFolder; len(r.Problems) != 1 && exists || r.Damaged() || len(r.Missing)+len(r.Pending) > 0 {
				t.Errorf("%d problems, missing %v, pending %v", len(r.Problems), r.Missing, r.Pending)
			}
		})
	}
}
