package export

import (
	"os"
	"path/filepath"
	"testing"

	"selfplay/datasets"
)

// TestForceReplacesAnOutput: with --force a second run replaces the output of the first,
// without --force it is refused.
func TestForceReplacesAnOutput(t *testing.T) {
	dir, tmp := dataset(t, datasets.List), t.TempDir()
	for _, args := range [][]string{
		{"convert", "--format", "csv", "--out", tmp + "/csv"}, {"shuffle", "--format", "csv", "--out", tmp + "/shuffled"},
		{"sample", "--rows", "5", "--out", tmp + "/a.csv"}, {"report", "--out", tmp + "/a.html"},
	} {
		again := func(flags ...string) outcome {
			return export(append(append(append([]string{}, args...), flags...), "--quiet", dir)...)
		}
		if o := again(); o.code != 0 {
			t.Fatalf("%v: %+v", args, o)
		}
		out := args[len(args)-1]
		mustRefuse(t, again(), 2, out+" already exists (use --force to replace it)")
		before, _ := os.Stat(out)
		if o := again("--force"); o.code != 0 {
			t.Errorf("%v --force: %+v", args, o)
		}
		if after, err := os.Stat(out); err != nil || os.SameFile(before, after) {
			t.Errorf("%v --force did not replace the output: %v", args, err)
		}
	}
	if list, _ := os.ReadDir(tmp); len(list) != 4 {
		t.Errorf("beside the outputs is %v", list)
	}
}

// TestForceKeepsTheOldOutputOnFailure: a command that fails replaces nothing.
func TestForceKeepsTheOldOutputOnFailure(t *testing.T) {
	dir, tmp := dataset(t, datasets.List), t.TempDir()
	csv, file, page := filepath.Join(tmp, "csv"), filepath.Join(tmp, "a.csv"), filepath.Join(tmp, "a.html")
	commands := [][]string{
		{"convert", "--format", "csv", "--out", csv}, {"sample", "--rows", "600", "--out", file}, {"report", "--out", page},
	}
	for _, args := range commands {
		if o := export(append(args, "--quiet", dir)...); o.code != 0 {
			t.Fatalf("%v: %+v", args, o)
		}
	}
	before := tree(t, tmp)
	damage(t, dir, "positions/validation-00001.parquet", flip)
	damage(t, dir, "games/validation-00001.parquet", flip)
	for _, args := range commands {
		mustRefuse(t, export(append(args, "--quiet", "--force", dir)...), 1, "corrupt")
	}
	mustEqual(t, tree(t, tmp), before)
}

// TestForceKeepsForeignFiles: it replaces no folder with files that convert did not write,
// and no dataset.
func TestForceKeepsForeignFiles(t *testing.T) {
	dir, other, tmp := dataset(t, datasets.List), dataset(t, datasets.List), t.TempDir()
	out := filepath.Join(tmp, "csv")
	if o := export("convert", "--quiet", "--format", "csv", "--out", out, dir); o.code != 0 {
		t.Fatalf("%+v", o)
	}
	write(t, filepath.Join(out, "thesis.tex"), []byte("mine"))
	mustRefuse(t, export("convert", "--force", "--quiet", "--format", "csv", "--out", out, dir), 2, "it holds thesis.tex")
	mustRefuse(t, export("convert", "--force", "--quiet", "--format", "csv", "--out", other, dir), 2, "is a dataset")
	mustRefuse(t, export("sample", "--force", "--quiet", "--rows", "5", "--out", filepath.Join(other, "README.md"), "--format", "csv", dir), 2, "is a dataset")
	if files := tree(t, out); files["thesis.tex"] != "mine" || len(files) != 6 {
		t.Errorf("the folder holds %d files", len(files))
	}
}
