package program

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"selfplay/internal/must"
)

// TestDamagedFilesCrashNoRun damages files of an unfinished dataset, commit records and
// journal included, and runs every command that writes to a dataset. Each ends with one
// line on stderr and a known exit code, or it makes the right dataset.
func TestDamagedFilesCrashNoRun(t *testing.T) {
	dir := t.TempDir()
	whole, torn, out := filepath.Join(dir, "whole"), filepath.Join(dir, "torn"), filepath.Join(dir, "out")
	run := func(out string, flags ...string) []string {
		return append([]string{"run", "--quiet", "--game", "contrast", "--player", "random", "--games", "6", "--shard-games", "2", "--max-plies", "20", "--out", out}, flags...)
	}
	mustRun(t, run(whole)...)
	want := tree(t, whole)
	mustRun(t, run(torn)...)
	must.Do(t, os.Remove(filepath.Join(torn, ".selfplay", "commits", "00001.json")))
	var files []string
	err := filepath.WalkDir(torn, func(path string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() && !strings.HasPrefix(e.Name(), "lock") {
			files = append(files, path)
		}
		return err
	})
	must.Do(t, err)
	src := rand.New(rand.NewPCG(1, 1))
	for range times(25, 2000) {
		os.RemoveAll(out)
		must.Do(t, os.CopyFS(out, os.DirFS(torn)))
		rel := must.Get(filepath.Rel(torn, files[src.IntN(len(files))]))(t)
		damage := rel + ": " + damageAtRandom(t, filepath.Join(out, rel), src)
		for _, args := range [][]string{{"replay", "--game-index", "3", out}, {"finalize", out}, run(out), {"finalize", "--as-it-stands", out}} {
			o := selfplay("", args...)
			if o.code < 0 || o.code > 6 || o.code != 0 && strings.Count(o.stderr, "\n") != 1 {
				t.Fatalf("%s: %v: %+v", damage, args, o)
			}
			if args[0] == "run" && o.code == 0 && remakes(filepath.ToSlash(rel)) {
				mustEqual(t, tree(t, out), want)
			}
		}
	}
}

// remakes reports whether a resumed run repairs damage to a file. Damage to the plan, to
// commit records and to data files is found by export verify.
func remakes(name string) bool {
	switch name {
	case "README.md", "croissant.json", "manifest.json":
		return true
	}
	return strings.HasPrefix(name, ".selfplay/") && !strings.HasPrefix(name, ".selfplay/commits/")
}

// damageAtRandom damages a file and describes the damage.
func damageAtRandom(t *testing.T, path string, src *rand.Rand) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil || len(data) == 0 {
		return "nothing"
	}
	at, how := src.IntN(len(data)), ""
	switch src.IntN(4) {
	case 0, 1:
		data[at] ^= 1 << src.IntN(8)
		how = fmt.Sprintf("a bit of byte %d is flipped", at)
	case 2:
		data, how = data[:at], fmt.Sprintf("cut at %d", at)
	case 3:
		for i := at; i < min(at+9, len(data)); i++ {
			data[i] = '9'
		}
		how = fmt.Sprintf("nines at %d", at)
	}
	must.Do(t, os.WriteFile(path, data, 0o644))
	return how
}
