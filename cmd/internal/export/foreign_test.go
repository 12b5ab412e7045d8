package export

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"selfplay/datasets/plan"
	"selfplay/internal/must"
)

// misplacements are damages to the files of a dataset as a whole. code is the exit code of
// verify.
var misplacements = []struct {
	name string
	do   func(t *testing.T, dir string)
	code int
}{
	{"a positions file is missing", func(t *testing.T, dir string) { remove(t, dir, "positions/train-00000.*") }, 4},
	{"a games file is missing", func(t *testing.T, dir string) { remove(t, dir, "games/validation-00000.*") }, 4},
	{"the folder positions is missing", func(t *testing.T, dir string) { remove(t, dir, "positions") }, 4},
	{"a file in place of the folder games", func(t *testing.T, dir string) {
		remove(t, dir, "games")
		write(t, filepath.Join(dir, "games"), nil)
	}, 4},
	{"a folder in place of a games file", func(t *testing.T, dir string) {
		name := match(t, dir, "games/validation-00000.*")[0]
		remove(t, dir, name)
		mkdir(t, dir, name+"/inside")
	}, 4},
	{"the plan is missing", func(t *testing.T, dir string) { remove(t, dir, "plan.json") }, 4},
	{"the plan is empty", func(t *testing.T, dir string) { write(t, filepath.Join(dir, "plan.json"), nil) }, 4},
	{"a folder in place of the plan", func(t *testing.T, dir string) { remove(t, dir, "plan.json"); mkdir(t, dir, "plan.json") }, 4},
	{"the plan of another dataset", func(t *testing.T, dir string) {
		other := filepath.Join(t.TempDir(), "other")
		tiny(t, other, plan.Parquet, plan.Packed)
		write(t, filepath.Join(dir, "plan.json"), append(read(t, filepath.Join(other, "plan.json")), ' '))
	}, 4},
	{"a plan of another format", func(t *testing.T, dir string) { edit(t, dir, "plan.json", `"format": 1`, `"format": 9`) }, 2},
	{"a plan with empty shards", func(t *testing.T, dir string) { edit(t, dir, "plan.json", `"shard_games": 2`, `"shard_games": 0`) }, 4},
	{"a plan with another licence", func(t *testing.T, dir string) { edit(t, dir, "plan.json", `"licence": ""`, `"licence": "MIT"`) }, 4},
	{"a record is missing", func(t *testing.T, dir string) { remove(t, dir, ".selfplay/commits/00001.json") }, 4},
	{"a record is empty", func(t *testing.T, dir string) { write(t, filepath.Join(dir, ".selfplay/commits/00001.json"), nil) }, 4},
	{"the record of another shard", func(t *testing.T, dir string) {
		copyFile(t, dir, ".selfplay/commits/00000.json", ".selfplay/commits/00001.json")
	}, 4},
	{"a record twice", func(t *testing.T, dir string) {
		copyFile(t, dir, ".selfplay/commits/00000.json", ".selfplay/commits/00009.json")
	}, 4},
	{"a record without a shard number", func(t *testing.T, dir string) {
		copyFile(t, dir, ".selfplay/commits/00000.json", ".selfplay/commits/a.json")
	}, 4},
	{"a record of an impossible shard", func(t *testing.T, dir string) {
		copyFile(t, dir, ".selfplay/commits/00000.json", ".selfplay/commits/9223372036854775807.json")
	}, 4},
	{"all records are missing", func(t *testing.T, dir string) { remove(t, dir, ".selfplay/commits") }, 4},
	{"the folder .selfplay is missing", func(t *testing.T, dir string) { remove(t, dir, ".selfplay") }, 4},
	{"a games file twice", func(t *testing.T, dir string) {
		copyFile(t, dir, match(t, dir, "games/train-00000.*")[0], "games/train-00009.parquet")
	}, 4},
	{"a foreign file", func(t *testing.T, dir string) { write(t, filepath.Join(dir, "positions/notes.txt"), nil) }, 4},
	{"the manifest is a list", func(t *testing.T, dir string) { write(t, filepath.Join(dir, "manifest.json"), []byte("[]")) }, 4},
	{"the manifest has other totals", func(t *testing.T, dir string) { edit(t, dir, "manifest.json", `"games": 6`, `"games": 7`) }, 4},
	{"the manifest has a shorter shard", func(t *testing.T, dir string) { edit(t, dir, "manifest.json", `"games": 2`, `"games": 1`) }, 4},
	{"the target is empty", func(t *testing.T, dir string) { write(t, filepath.Join(dir, ".selfplay/target.json"), nil) }, 4},
	{"the target is missing", func(t *testing.T, dir string) { remove(t, dir, ".selfplay/target.json") }, 4},
	{"the target is too small", func(t *testing.T, dir string) { edit(t, dir, ".selfplay/target.json", "6", "4") }, 4},
	{"the target is too large", func(t *testing.T, dir string) { edit(t, dir, ".selfplay/target.json", "6", "18446744073709551615") }, 4},
	{"the target is a string", func(t *testing.T, dir string) { edit(t, dir, ".selfplay/target.json", "6", `"6"`) }, 4},
	{"a file of a shard before it was extended", func(t *testing.T, dir string) {
		copyFile(t, dir, match(t, dir, "games/train-00000.*")[0], "games/train-00000-1.parquet")
	}, 0}, // as after a kill
	{"a file of a shard with more games than it can have", func(t *testing.T, dir string) {
		copyFile(t, dir, match(t, dir, "games/train-00000.*")[0], "games/train-00000-3.parquet")
	}, 4},
}

// TestMisplacedFiles: verify finds missing, repeated and foreign files, and no command
// crashes. After repair the dataset verifies, or repair says why not.
func TestMisplacedFiles(t *testing.T) {
	whole := map[string]string{}
	for _, format := range []string{plan.Parquet, plan.Arrow} {
		whole[format] = filepath.Join(t.TempDir(), "set")
		tiny(t, whole[format], format, plan.List)
		if *damageCount < 1000 {
			break // the misplacements do not depend on the format
		}
	}
	for format, from := range whole {
		for _, m := range misplacements {
			t.Run(format+"/"+m.name, func(t *testing.T) {
				dir := filepath.Join(t.TempDir(), "set")
				must.Do(t, os.CopyFS(dir, os.DirFS(from)))
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
		must.Do(t, os.RemoveAll(filepath.Join(dir, name)))
	}
}

func mkdir(t *testing.T, dir, name string) {
	t.Helper()
	must.Do(t, os.MkdirAll(filepath.Join(dir, name), 0o755))
}

func copyFile(t *testing.T, dir, from, to string) {
	t.Helper()
	write(t, filepath.Join(dir, to), read(t, filepath.Join(dir, from)))
}

// edit replaces a text that the file must contain.
func edit(t *testing.T, dir, name, before, after string) {
	t.Helper()
	path := filepath.Join(dir, name)
	data := string(read(t, path))
	if !strings.Contains(data, before) {
		t.Fatalf("%s has no %s", name, before)
	}
	write(t, path, []byte(strings.Replace(data, before, after, 1)))
}
