//go:build unix

package making

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"selfplay/datasets/checking"
	"selfplay/datasets/disk"
	"selfplay/datasets/internal/fault"
	"selfplay/datasets/journal"
	"selfplay/datasets/plan"
	"selfplay/internal/must"
)

// TestPipesAsBookkeepingFilesAreNamed: no command waits for a writer of the pipe.
func TestPipesAsBookkeepingFilesAreNamed(t *testing.T) {
	whole := made(t, fakePlan(), 9)
	for _, name := range []string{plan.FileName, plan.ManifestName, plan.CardName, plan.CroissantName, plan.TargetName, plan.CommitName(0), plan.CommitName(1), journal.Folder + "/00003.ab.log", "positions/train-00000.parquet"} {
		t.Run(name, func(t *testing.T) {
			root := copyOf(t, whole)
			path := filepath.Join(root, name)
			if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
				t.Fatal(err)
			}
			if err := syscall.Mkfifo(path, 0o644); err != nil {
				t.Skip(err)
			}
			defer time.AfterFunc(time.Minute, func() { panic("still waiting for the pipe " + name) }).Stop()
			r, err := checking.Verify(t.Context(), root, checking.VerifyOptions{Level: checking.VerifySums})
			if err == nil && !r.OK() && !slices.ContainsFunc(r.Problems, func(p checking.Problem) bool { return p.Path == name }) {
				t.Errorf("%v", r.Problems)
			}
			for _, command := range []string{"run", "finalize", "repair"} {
				if err := writers[command](t, root); err != nil && (!strings.Contains(err.Error(), filepath.Base(name)) || strings.Contains(err.Error(), "\n")) {
					t.Errorf("%s: %v", command, err)
				}
			}
		})
	}
}

// obstacles are what may be in the place of a derived file. Each returns a file outside of the dataset
// that must stay as it is.
var obstacles = map[string]func(t *testing.T, path string) (outside string){
	"pipe": func(t *testing.T, path string) string {
		if err := syscall.Mkfifo(path, 0o644); err != nil {
			t.Skip(err)
		}
		return ""
	},
	"large file": func(t *testing.T, path string) string {
		write(t, filepath.Dir(path), filepath.Base(path), "{")
		must.Do(t, os.Truncate(path, disk.MaxFile+1))
		return ""
	},
	"link": func(t *testing.T, path string) string {
		outside := t.TempDir()
		write(t, outside, "thesis.tex", "mine")
		must.Do(t, os.Symlink(filepath.Join(outside, "thesis.tex"), path))
		return outside
	},
	"link to nothing": func(t *testing.T, path string) string {
		outside := t.TempDir()
		must.Do(t, os.Symlink(filepath.Join(outside, "new"), path))
		return outside
	},
	"link to a folder": func(t *testing.T, path string) string {
		outside := t.TempDir()
		write(t, outside, "thesis.tex", "mine")
		must.Do(t, os.Symlink(outside, path))
		return outside
	},
}

// TestWritersReplaceWhatIsInThePlaceOfDerivedFiles: derived files come back, also if shards are
// damaged, and nothing outside of the dataset changes.
func TestWritersReplaceWhatIsInThePlaceOfDerivedFiles(t *testing.T) {
	whole := t.TempDir()
	makeIn(t, whole, fakePlan(), 12, fakeOptions())
	want := tree(t, whole)
	for _, name := range []string{plan.ManifestName, plan.CardName, plan.CroissantName} {
		for kind, put := range obstacles {
			for _, command := range []string{"run", "finalize", "repair", "repair of a shard"} {
				t.Run(name+"/"+kind+"/"+command, func(t *testing.T) {
					if kind == "large file" && (name == plan.CroissantName || command != "repair" && command != "run") {
						t.Skip("the same code takes a second for README.md")
					}
					defer time.AfterFunc(time.Minute, func() { panic("still waiting for the pipe " + name) }).Stop()
					root := copyOf(t, whole)
					must.Do(t, os.Remove(filepath.Join(root, name)))
					outside := put(t, filepath.Join(root, name))
					before := outsideOf(t, outside)
					first, damaged := strings.CutSuffix(command, " of a shard")
					if damaged {
						remove(t, root, "games/train-00000.parquet")
					}
					must.Do(t, writers[first](t, root))
					if damaged || kind == "link to nothing" { // a dataset without a manifest is unfinished, not damaged
						must.Do(t, writers["run"](t, root))
					}
					sameTree(t, tree(t, root), want)
					sameTree(t, outsideOf(t, outside), before)
					if info := must.Get(os.Lstat(filepath.Join(root, name)))(t); !info.Mode().IsRegular() {
						t.Errorf("%s stays", info.Mode())
					}
				})
			}
		}
	}
}

// outsideOf returns the files of a folder, "" for none.
func outsideOf(t *testing.T, folder string) map[string]string {
	if folder == "" {
		return nil
	}
	return tree(t, folder)
}

// TestFoldersInThePlaceOfDerivedFilesStay: their files are not those of the dataset. The error says
// what to do.
func TestFoldersInThePlaceOfDerivedFilesStay(t *testing.T) {
	whole := t.TempDir()
	makeIn(t, whole, fakePlan(), 12, fakeOptions())
	for _, name := range []string{plan.ManifestName, plan.CardName, plan.CroissantName} {
		for command, change := range writers {
			t.Run(name+" "+command, func(t *testing.T) {
				root := copyOf(t, whole)
				must.Do(t, os.Remove(filepath.Join(root, name)))
				must.Do(t, os.Mkdir(filepath.Join(root, name), 0o755))
				remove(t, root, "games/train-00000.parquet")
				if command != "repair" {
					write(t, root, "games/train-00000.parquet", tree(t, whole)["games/train-00000.parquet"])
				}
				before := tree(t, root)
				err := change(t, root)
				if err == nil || !strings.Contains(err.Error(), "write "+name+": a folder has the name of this file: move the folder away") || errors.Is(err, fault.ErrCorrupt) {
					t.Errorf("%v", err)
				}
				after := tree(t, root)
				maps.DeleteFunc(after, func(name, _ string) bool { return strings.HasPrefix(name, plan.RunsFolder) })
				sameTree(t, after, before)
				if info := must.Get(os.Lstat(filepath.Join(root, name)))(t); !info.IsDir() {
					t.Error("the folder is gone")
				}
			})
		}
	}
}
