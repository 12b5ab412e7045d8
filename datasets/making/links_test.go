package making

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"selfplay/datasets/checking"
	"selfplay/datasets/disk"
	"selfplay/datasets/journal"
	"selfplay/datasets/plan"
	"selfplay/internal/must"
)

// writers are the functions that change a dataset.
var writers = map[string]func(t *testing.T, root string) error{
	"run": func(t *testing.T, root string) error {
		_, err := Make(t.Context(), root, fakePlan(), 12, fakeOptions())
		return err
	},
	"finalize": func(_ *testing.T, root string) error {
		_, err := Finalize(root, false)
		return err
	},
	"repair": func(t *testing.T, root string) error {
		_, err := checking.Repair(t.Context(), root, checking.RepairOptions{Verify: checking.VerifyOptions{Level: checking.VerifySums}})
		return err
	},
}

// victims are names that a writer removes or replaces in its own folders.
var victims = []string{
	"thesis.tex", "1-ab.plan.json", "1-ab.lock", "positions-train-00002.parquet", "00000.json", "00007.json",
	"00000.0123.log", "train-00001.parquet", "lock", "commits/00000.json", "tmp/1-ab.plan.json", "journal/00000.0123.log",
}

// TestWritersRefuseLinkedFolders: a dataset must not make a writer write or delete files
// outside of it.
func TestWritersRefuseLinkedFolders(t *testing.T) {
	whole := made(t, fakePlan(), 9)
	for _, folder := range []string{disk.Hidden, disk.TempFolder, journal.Folder, plan.RunsFolder, plan.CommitsFolder, plan.Positions, plan.Games} {
		for name, change := range writers {
			t.Run(name+" "+folder, func(t *testing.T) {
				root, outside := copyOf(t, whole), t.TempDir()
				for _, victim := range victims {
					must.Do(t, os.MkdirAll(filepath.Dir(filepath.Join(outside, victim)), 0o755))
					write(t, outside, victim, "mine")
				}
				must.Do(t, os.RemoveAll(filepath.Join(root, folder)))
				if err := os.Symlink(outside, filepath.Join(root, folder)); err != nil {
					t.Skip(err)
				}
				before := tree(t, outside)
				err := change(t, root)
				if err == nil || !strings.Contains(err.Error(), folder+" is a link") || strings.Contains(err.Error(), "\n") {
					t.Errorf("%v", err)
				}
				sameTree(t, tree(t, outside), before)
			})
		}
	}
}

// TestLinkedFilesAreRead: caches of downloaded datasets hold links to their files.
func TestLinkedFilesAreRead(t *testing.T) {
	whole, root := t.TempDir(), t.TempDir()
	makeIn(t, whole, fakePlan(), 9, fakeOptions())
	for _, name := range append(slices.Collect(maps.Keys(tree(t, whole))), plan.TargetName) {
		link := filepath.Join(root, name)
		must.Do(t, os.MkdirAll(filepath.Dir(link), 0o755))
		if err := os.Symlink(filepath.Join(whole, name), link); err != nil {
			t.Skip(err)
		}
	}
	r, err := checking.Verify(t.Context(), root, checking.VerifyOptions{Level: checking.VerifySums})
	if err != nil || !r.OK() || r.Games != 9 {
		t.Errorf("%+v, %v", r, err)
	}
}

// TestForeignFilesInTemporaryFoldersStay: a writer removes regular files with its own
// names only, and nothing else in the folders stops it.
func TestForeignFilesInTemporaryFoldersStay(t *testing.T) {
	whole := made(t, fakePlan(), 9)
	for name, change := range writers {
		t.Run(name, func(t *testing.T) {
			root, outside := copyOf(t, whole), t.TempDir()
			write(t, outside, "victim", "mine")
			stay := []string{"thesis.tex", "folder/1-ab.plan.json", "1-ab.plan.json/data", "2-cd.lock/data"}
			for _, file := range stay {
				must.Do(t, os.MkdirAll(filepath.Dir(filepath.Join(root, disk.TempFolder, file)), 0o755))
				write(t, root, disk.TempFolder+"/"+file, "mine")
			}
			link := disk.TempFolder + "/3-ef.lock"
			if err := os.Symlink(filepath.Join(outside, "victim"), filepath.Join(root, link)); err != nil {
				t.Skip(err)
			}
			write(t, root, disk.TempFolder+"/4-ab.plan.json", "half a file")
			must.Do(t, change(t, root))
			got := tree(t, root)
			for _, file := range stay {
				if got[disk.TempFolder+"/"+file] != "mine" {
					t.Errorf("%s was removed", file)
				}
			}
			if got[disk.TempFolder+"/4-ab.plan.json"] != "" {
				t.Error("a temporary file was left")
			}
			r, err := checking.Verify(t.Context(), root, checking.VerifyOptions{Level: checking.VerifySums})
			if err != nil || !strings.Contains(strings.Join(r.Leftovers, " "), disk.TempFolder+"/folder") {
				t.Errorf("leftovers %q, %v", r.Leftovers, err)
			}
		})
	}
}

func TestDatasetInsideAnotherIsRefused(t *testing.T) {
	root, link := t.TempDir(), filepath.Join(t.TempDir(), "link")
	makeIn(t, root, fakePlan(), 9, fakeOptions())
	if err := os.Symlink(filepath.Join(root, "positions"), link); err != nil {
		t.Skip(err)
	}
	want := tree(t, root)
	for _, dir := range []string{root + "/positions/sub", root + "/positions", root + "/a/b/c", root + "/.selfplay", link, link + "/a/b"} {
		_, err := Make(t.Context(), dir, fakePlan(), 9, fakeOptions())
		if !errors.Is(err, ErrNested) {
			t.Errorf("%s: %v", dir, err)
		}
	}
	sameTree(t, tree(t, root), want)
	makeIn(t, root+"-2", fakePlan(), 9, fakeOptions())
}
