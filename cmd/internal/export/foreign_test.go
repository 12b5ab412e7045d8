package export

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"selfplay/datasets"
)

// misplacements damage a dataset as a whole; code is that of verify.
var misplacements = []struct {
	name string
	do   func(t *testing.T, dir string)
	code int
}{
	{"positions missing", func(t *testing.T, dir string) { remove(t, dir, "positions/train-00000.*") }, 4},
	{"games missing", func(t *testing.T, dir string) { remove(t, dir, "games/train-00001.*") }, 4},
	{"all positions missing", func(t *testing.T, dir string) { remove(t, dir, "positions") }, 4},
	{"a folder is a file", func(t *testing.T, dir string) {
		remove(t, dir, "games")
		write(t, filepath.Join(dir, "games"), nil)
	}, 4},
	{"a file is a folder", func(t *testing.T, dir string) {
		name := match(t, dir, "games/train-00001.*")[0]
		remove(t, dir, name)
		mkdir(t, dir, name+"/inside")
	}, 4},
	{"plan missing", func(t *testing.T, dir string) { remove(t, dir, "plan.json") }, 4},
	{"plan empty", func(t *testing.T, dir string) { write(t, filepath.Join(dir, "plan.json"), nil) }, 4},
	{"plan is a folder", func(t *testing.T, dir string) { remove(t, dir, "plan.json"); mkdir(t, dir, "plan.json") }, 4},
	{"plan of another", func(t *testing.T, dir string) {
		other := filepath.Join(t.TempDir(), "other")
		tiny(t, other, datasets.Parquet, datasets.Packed)
		write(t, filepath.Join(dir, "plan.json"), append(read(t, filepath.Join(other, "plan.json")), ' '))
	}, 4},
	{"plan of a newer program", func(t *testing.T, dir string) { edit(t, dir, "plan.json", `"format": 1`, `"format": 9`) }, 2},
	{"plan of no shards", func(t *testing.T, dir string) { edit(t, dir, "plan.json", `"shard_games": 2`, `"shard_games": 0`) }, 4},
	{"other licence", func(t *testing.T, dir string) { edit(t, dir, "plan.json", `"licence": ""`, `"licence": "MIT"`) }, 4},
	{"record missing", func(t *testing.T, dir string) { remove(t, dir, ".selfplay/commits/00001.json") }, 4},
	{"record empty", func(t *testing.T, dir string) { write(t, filepath.Join(dir, ".selfplay/commits/00001.json"), nil) }, 4},
	{"record of another shard", func(t *testing.T, dir string) {
		copyFile(t, dir, ".selfplay/commits/00000.json", ".selfplay/commits/00001.json")
	}, 4},
	{"record twice", func(t *testing.T, dir string) {
		copyFile(t, dir, ".selfplay/commits/00000.json", ".selfplay/commits/00009.json")
	}, 4},
	{"record of no shard", func(t *testing.T, dir string) {
		copyFile(t, dir, ".selfplay/commits/00000.json", ".selfplay/commits/a.json")
	}, 4},
	{"record of a far shard", func(t *testing.T, dir string) {
		copyFile(t, dir, ".selfplay/commits/00000.json", ".selfplay/commits/9223372036854775807.json")
	}, 4},
	{"all records missing", func(t *testing.T, dir string) { remove(t, dir, ".selfplay/commits") }, 4},
	{"no bookkeeping", func(t *testing.T, dir string) { remove(t, dir, ".selfplay") }, 4},
	{"file twice", func(t *testing.T, dir string) {
		copyFile(t, dir, match(t, dir, "games/train-00000.*")[0], "games/train-00009.parquet")
	}, 4},
	{"foreign file", func(t *testing.T, dir string) { write(t, filepath.Join(dir, "positions/notes.txt"), nil) }, 4},
	{"manifest is a list", func(t *testing.T, dir string) { write(t, filepath.Join(dir, "manifest.json"), []byte("[]")) }, 4},
	{"manifest of other totals", func(t *testing.T, dir string) { edit(t, dir, "manifest.json", `"games": 6`, `"games": 7`) }, 4},
	{"manifest of a shorter shard", func(t *testing.T, dir string) { edit(t, dir, "manifest.json", `"games": 2`, `"games": 1`) }, 4},
	{"target empty", func(t *testing.T, dir string) { write(t, filepath.Join(dir, ".selfplay/target.json"), nil) }, 4},
	{"target missing", func(t *testing.T, dir string) { remove(t, dir, ".selfplay/target.json") }, 4},
	{"target too small", func(t *testing.T, dir string) { edit(t, dir, ".selfplay/target.json", "6", "4") }, 4},
	{"target too large", func(t *testing.T, dir string) { edit(t, dir, ".selfplay/target.json", "6", "18446744073709551615") }, 4},
	{"target is text", func(t *testing.T, dir string) { edit(t, dir, ".selfplay/target.json", "6", `"6"`) }, 4},
	{"retired and committed", func(t *testing.T, dir string) {
		copyFile(t, dir, ".selfplay/commits/00001.json", ".selfplay/superseded/00001.json")
	}, 0}, // as a power cut leaves it
	{"retired nonsense", func(t *testing.T, dir string) { write(t, filepath.Join(dir, ".selfplay/superseded/x"), nil) }, 4},
}

// TestMisplacedFiles: what is missing, twice or foreign is found, no command crashes,
// and repair leaves a dataset that verifies, or says why not.
func TestMisplacedFiles(t *testing.T) {
	whole := map[string]string{}
	for _, format := range []string{datasets.Parquet, datasets.Arrow} {
		whole[format] = filepath.Join(t.TempDir(), "set")
		tiny(t, whole[format], format, datasets.List)
		if *damageCount < 1000 {
			break // nothing here looks into a file
		}
	}
	for format, from := range whole {
		for _, m := range misplacements {
			t.Run(format+"/"+m.name, func(t *testing.T) {
				dir := filepath.Join(t.TempDir(), "set")
				if err := os.CopyFS(dir, os.DirFS(from)); err != nil {
					t.Fatal(err)
				}
				m.do(t, dir)
				if o := export("verify", dir); o.code != m.code {
					t.Errorf("verify: %+v", o)
				}
				(&damagedFile{name: "plan.json"}).mustNotCrash(t, dir)
				repaired := export("repair", dir)
				if o := export("verify", dir); repaired.code == 0 && o.code != 0 || repaired.code != 0 && strings.Count(repaired.stderr, "\n") != 1 {
					t.Errorf("repair: %+v, then verify: %+v", repaired, o)
				}
			})
		}
	}
}

func remove(t *testing.T, dir, pattern string) {
	t.Helper()
	for _, name := range match(t, dir, pattern) {
		if err := os.RemoveAll(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
}

func mkdir(t *testing.T, dir, name string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Join(dir, name), 0o755); err != nil {
		t.Fatal(err)
	}
}

func copyFile(t *testing.T, dir, from, to string) {
	t.Helper()
	write(t, filepath.Join(dir, to), read(t, filepath.Join(dir, from)))
}

// edit replaces a text that must be there.
func edit(t *testing.T, dir, name, before, after string) {
	t.Helper()
	path := filepath.Join(dir, name)
	data := string(read(t, path))
	if !strings.Contains(data, before) {
		t.Fatalf("%s has no %s", name, before)
	}
	write(t, path, []byte(strings.Replace(data, before, after, 1)))
}
