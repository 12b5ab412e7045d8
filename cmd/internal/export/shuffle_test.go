package export

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"selfplay/datasets/plan"
	"selfplay/encode"
	"selfplay/internal/must"
)

// shuffled returns the files of a shuffle by name.
func shuffled(t *testing.T, dir string, flags ...string) map[string]string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "out")
	o := export(slices.Concat([]string{"shuffle", "--quiet", "--out", out}, flags, []string{dir})...)
	if o.code != 0 || o.stdout+o.stderr != "" {
		t.Fatalf("%+v", o)
	}
	return tree(t, out)
}

// linesOf returns the lines of the files of a split, in order.
func linesOf(files map[string]string, split string) (lines []string) {
	var names []string
	for name := range files {
		if strings.HasPrefix(name, split) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		lines = append(lines, strings.SplitAfter(strings.TrimSuffix(files[name], "\n"), "\n")...)
	}
	for i := range lines {
		lines[i] = strings.TrimSuffix(lines[i], "\n")
	}
	return lines
}

// TestShuffleKeepsEveryRow: of each split, in another order, in files of --file-rows rows.
func TestShuffleKeepsEveryRow(t *testing.T) {
	for _, game := range encode.Games() {
		dir := datasetOf(t, game, &game.Layouts[0], plan.List)
		files := shuffled(t, dir, "--format", "jsonl", "--file-rows", "50")
		for _, split := range []string{"train", "validation"} {
			var want []string
			o := export("convert", "--quiet", "--format", "jsonl", "--split", split, "--out", "-", dir)
			want = strings.Split(strings.TrimSuffix(o.stdout, "\n"), "\n")
			got := linesOf(files, split)
			if slices.Equal(got, want) {
				t.Errorf("%s: the rows of %s are in their old order", game.Name, split)
			}
			slices.Sort(got)
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Errorf("%s: the %d rows of %s differ from the %d of the dataset", game.Name, len(got), split, len(want))
			}
		}
		for name, data := range files {
			if n := strings.Count(data, "\n"); strings.HasSuffix(name, ".jsonl") && n > 50 {
				t.Errorf("%s has %d rows", name, n)
			}
		}
		if first := files["train-00000.jsonl"]; strings.Count(first, "\n") != 50 || files["SHA256SUMS"] == "" || files["metadata.json"] == "" {
			t.Errorf("%s: %d files, %d rows in the first", game.Name, len(files), strings.Count(first, "\n"))
		}
	}
}

// TestShuffleRefusesToWriteNoRows: an old output stays.
func TestShuffleRefusesToWriteNoRows(t *testing.T) {
	dir := t.TempDir()
	set, out := dataset(t, plan.List), filepath.Join(dir, "out")
	mustRun(t, "shuffle", "--quiet", "--out", out, set)
	want := tree(t, out)
	for flag, want := range map[string]string{
		"":           "no row matches --where ply>60000",
		"--keep=0.5": "no row passes the filter where=ply>60000 keep=0.5",
	} {
		args := append([]string{"shuffle", "--quiet", "--where", "ply>60000", set}, strings.Fields(flag)...)
		want = "shuffle " + set + ": " + want
		mustRefuse(t, export(append(args, "--force", "--out", out)...), 2, want)
		mustRefuse(t, export(append(args, "--out", filepath.Join(dir, "none"))...), 2, want)
	}
	mustEqual(t, tree(t, out), want)
	if list := must.Get(os.ReadDir(dir))(t); len(list) != 1 {
		t.Errorf("%v is left over", list)
	}
}

// TestShuffleDependsOnSeedAndRowsOnly: not on memory or on how the dataset stores the rows.
func TestShuffleDependsOnSeedAndRowsOnly(t *testing.T) {
	list, packed := dataset(t, plan.List), dataset(t, plan.Packed)
	want := shuffled(t, list, "--format", "csv")
	delete(want, "metadata.json") // names the plan
	delete(want, "SHA256SUMS")
	for _, got := range []map[string]string{
		shuffled(t, list, "--format", "csv", "--memory", "16MiB", "--seed", "1"), shuffled(t, packed, "--format", "csv"),
	} {
		delete(got, "metadata.json")
		delete(got, "SHA256SUMS")
		mustEqual(t, got, want)
	}
	if other := shuffled(t, list, "--format", "csv", "--seed", "2"); other["train-00000.csv"] == want["train-00000.csv"] {
		t.Error("two seeds give the same order")
	}
	for _, form := range folderForms() {
		if files := shuffled(t, list, "--format", form.Name, "--file-rows", "100"); files["train-00001"+form.Ext] == "" || files["validation-00000"+form.Ext] == "" {
			t.Errorf("%s: %d files", form.Name, len(files))
		}
	}
}
