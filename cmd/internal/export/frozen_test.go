package export

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"selfplay/datasets"
)

var update = flag.Bool("update", false, "write frozen datasets that are missing")

// TestFrozenDatasets: datasets of earlier versions stay readable, with the same rows. Never
// make them again; add a dataset for each new version.
func TestFrozenDatasets(t *testing.T) {
	for _, format := range []string{datasets.Parquet, datasets.Arrow} {
		dir := filepath.Join("testdata", "frozen", format)
		rows := dir + ".jsonl"
		if _, err := os.Stat(dir); *update && os.IsNotExist(err) {
			contrastGames(t, dir, format, datasets.List, 2, 6)
			clean(t, dir)
			write(t, rows, []byte(export("head", "--json", "--rows", "100", dir).stdout))
		}
		for _, args := range [][]string{{"verify"}, {"verify", "--deep"}, {"info"}, {"stats"}} {
			if o := export(append(args, dir)...); o.code != 0 {
				t.Errorf("%v %s: %+v", args, format, o)
			}
		}
		if o := export("head", "--json", "--rows", "100", dir); o.code != 0 || o.stdout != string(read(t, rows)) {
			t.Errorf("%s: the rows differ: %+v", format, o)
		}
		if found, _ := filepath.Glob(filepath.Join(dir, ".selfplay", "tmp", "*")); len(found) > 0 {
			t.Errorf("reading wrote %v", found)
		}
	}
}

// clean removes the files of .selfplay that no reader needs.
func clean(t *testing.T, dir string) {
	t.Helper()
	for _, name := range []string{"lock", "tmp", "journal", "superseded"} {
		if err := os.RemoveAll(filepath.Join(dir, ".selfplay", name)); err != nil {
			t.Fatal(err)
		}
	}
}
