package export

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"selfplay/datasets"
	"selfplay/encode"
)

// table parses a CSV file into columns.
func table(t *testing.T, text string) map[string][]string {
	t.Helper()
	lines, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil || len(lines) == 0 {
		t.Fatalf("%v: %s", err, text)
	}
	columns := map[string][]string{}
	for _, line := range lines[1:] {
		for col, name := range lines[0] {
			columns[name] = append(columns[name], line[col])
		}
	}
	return columns
}

// sampleOf draws a sample as CSV.
func sampleOf(t *testing.T, args ...string) map[string][]string {
	t.Helper()
	o := export(slices.Concat([]string{"sample", "--quiet", "--format", "csv", "--out", "-"}, args)...)
	if o.code != 0 || o.stderr != "" {
		t.Fatalf("%q: %+v", args, o)
	}
	return table(t, o.stdout)
}

// TestSampleDrawsDistinctRows: in the order of the dataset, as head prints them.
func TestSampleDrawsDistinctRows(t *testing.T) {
	dir := dataset(t, datasets.List)
	all := strings.SplitAfter(export("head", "--rows", "100000", "--json", dir).stdout, "\n")
	all = all[:len(all)-1]
	o := export("sample", "--quiet", "--rows", "100", "--format", "jsonl", "--out", "-", dir)
	at := 0
	for line := range strings.Lines(o.stdout) {
		i := slices.Index(all[at:], line)
		if i < 0 {
			t.Fatalf("no such row after row %d: %s", at, line)
		}
		at += i + 1
	}
	if n := strings.Count(o.stdout, "\n"); o.code != 0 || n != 100 {
		t.Errorf("%d rows: %+v", n, o.stderr)
	}
	if o = export("sample", "--rows", "1000000", "--format", "jsonl", "--out", "-", dir); o.stdout != strings.Join(all, "") || !strings.Contains(o.stderr, "the dataset has fewer rows than wanted") {
		t.Errorf("a sample of all rows differs from the dataset: %s", o.stderr)
	}
}

// TestSampleDependsOnSeedAndRowsOnly: not on the format or the board type of the dataset.
func TestSampleDependsOnSeedAndRowsOnly(t *testing.T) {
	dir := dataset(t, datasets.List)
	packed, arrow := dataset(t, datasets.Packed), filepath.Join(t.TempDir(), "arrow")
	if o := export("rows", "--format", "arrow", "--out", arrow, dir); o.code != 0 {
		t.Fatalf("%+v", o)
	}
	for _, by := range []string{"", "ply", "outcome", "phase", "side"} {
		args := []string{"--rows", "60"}
		if by != "" {
			args = append(args, "--by", by)
		}
		want := fmt.Sprint(sampleOf(t, append(args, dir)...))
		for _, other := range []string{dir, packed, arrow} {
			if fmt.Sprint(sampleOf(t, append(args, other)...)) != want {
				t.Errorf("by %s: the rows differ", by)
			}
		}
		if fmt.Sprint(sampleOf(t, append(args, "--seed", "2", dir)...)) == want {
			t.Errorf("by %s: another seed draws the same rows", by)
		}
	}
}

// TestSampleByStrata: draws equally many rows of each class, and prints the numbers.
func TestSampleByStrata(t *testing.T) {
	dir, out := dataset(t, datasets.List), t.TempDir()
	o := export("sample", "--json", "--rows", "90", "--by", "phase", "--out", out+"/a.csv", dir)
	var s sampled
	if err := json.Unmarshal([]byte(o.stdout), &s); err != nil || o.code != 0 {
		t.Fatalf("%v: %+v", err, o)
	}
	text := string(read(t, out+"/a.csv"))
	columns, counts := table(t, text), map[int]int{}
	for i, ply := range columns["ply"] {
		p, _ := strconv.Atoi(ply)
		left, _ := strconv.Atoi(columns["plies_left"][i])
		counts[3*p/(p+left)]++
	}
	if s.Rows != 90 || s.Bytes != int64(len(text)) || s.Form != "csv" || len(s.Strata) != 3 || s.SHA256 != string(sumText([]byte(text))) {
		t.Errorf("%+v", s)
	}
	for i, n := range s.Strata {
		if counts[i] != 30 || n.Rows != 30 {
			t.Errorf("%s: %d rows, printed %d", n.Stratum, counts[i], n.Rows)
		}
	}
	o = export("sample", "--rows", "90", "--by", "phase", "--seed", "3", "--out", out+"/b.csv", dir)
	if want := fmt.Sprintf("90 of %d rows, csv, ", s.Of); !strings.HasPrefix(o.stdout, want) || !strings.Contains(o.stdout, "/b.csv; by phase: opening 30 of ") || strings.Count(o.stdout, "\n") != 1 {
		t.Errorf("%s", o.stdout)
	}
	if o = export("sample", "--quiet", "--rows", "90", "--out", out+"/c.csv", dir); o.code != 0 || o.stdout+o.stderr != "" {
		t.Errorf("--quiet: %+v", o)
	}
}

// TestSampleOfASplit: draws only rows of its games.
func TestSampleOfASplit(t *testing.T) {
	dir := dataset(t, datasets.List) // the second shard of three is for validation
	for split, want := range map[string]func(game int) bool{
		"train": func(game int) bool { return game < 4 || game >= 8 }, "validation": func(game int) bool { return game >= 4 && game < 8 },
	} {
		for _, game := range sampleOf(t, "--rows", "50", "--split", split, dir)["game"] {
			if n, _ := strconv.Atoi(game); !want(n) {
				t.Errorf("game %s in a sample of %s", game, split)
			}
		}
	}
}

// TestSampleOfAnUnfinishedDataset: draws from the committed shards, with a warning.
func TestSampleOfAnUnfinishedDataset(t *testing.T) {
	dir := dataset(t, datasets.List)
	if err := os.Remove(filepath.Join(dir, ".selfplay/commits/00001.json")); err != nil {
		t.Fatal(err)
	}
	o := export("sample", "--rows", "50", "--format", "csv", "--out", "-", dir)
	if o.code != 0 || !strings.Contains(o.stderr, "the dataset is unfinished") || len(table(t, o.stdout)["game"]) != 50 {
		t.Errorf("%+v", o)
	}
	one := filepath.Join(t.TempDir(), "one")
	contrastGames(t, one, datasets.Parquet, datasets.List, 2, 6)
	mustRefuse(t, export("sample", "--quiet", "--rows", "5", "--split", "validation", "--format", "csv", "--out", "-", one), 2, "the dataset has no validation shards")
}

func TestSampleRefusals(t *testing.T) {
	dir, tmp := dataset(t, datasets.List), t.TempDir()
	planes := datasetOf(t, encode.Games()[0], &encode.Games()[0].Layouts[1], datasets.List)
	write(t, filepath.Join(tmp, "taken.csv"), []byte("mine"))
	damaged := dataset(t, datasets.List)
	damage(t, damaged, "positions/validation-00001.parquet", flip)
	before := tree(t, dir)
	for _, c := range []struct {
		args string
		code int
		want string
	}{
		{"--out TMP/a.csv DIR", 2, "flag --rows is missing"},
		{"--rows 0 --out TMP/a.csv DIR", 2, "rows 0: want 1 or more"},
		{"--rows -1 --out TMP/a.csv DIR", 2, `invalid value "-1" for flag --rows`},
		{"--rows 5 DIR", 2, "flag --out is missing"},
		{"DIR", 2, "flags --rows and --out are missing"},
		{"--rows 5 --out TMP/a.csv", 2, "no directory: want export sample [flags] DIR"},
		{"--rows 5 --out TMP/a.xlsx DIR", 2, "a.xlsx has no known extension: want --format, or one of *.parquet, *.arrow, *.arrows, *.csv, *.jsonl, *.npz, *.tar"},
		{"--rows 5 --format xlsx --out TMP/a.csv DIR", 2, `unknown format "xlsx": want one of parquet, arrow, arrow-stream, csv, jsonl, npz, webdataset`},
		{"--rows 5 --out - DIR", 2, "flag --format is missing"},
		{"--rows 5 --format npz --out - DIR", 2, "npz cannot be a stream"},
		{"--rows 5 --format parquet --out - DIR", 2, "parquet cannot be a stream"},
		{"--rows 5 --out TMP/taken.csv DIR", 2, "taken.csv already exists (use --force to replace it)"},
		{"--rows 5 --out DIR/positions/a.csv DIR", 2, "it lies in the dataset"},
		{"--rows 5 --out TMP/none/a.csv DIR", 2, "no such folder"},
		{"--rows 5 --by size --out TMP/a.csv DIR", 2, `unknown strata "size": want one of ply, outcome, phase, side`},
		{"--rows 5 --split test --out TMP/a.csv DIR", 2, `unknown split "test"`},
		{"--rows 5 --boards picture --out TMP/a.csv DIR", 2, `unknown boards "picture": want array or text`},
		{"--rows 5 --boards text --out TMP/a.csv PLANES", 2, "boards of layout planes cannot be written as text"},
		{"--rows 5 --board-type packed --out TMP/a.csv DIR", 2, "csv has no board types"},
		{"--rows 5 --compress --out TMP/a.csv DIR", 2, "csv has no compression"},
		{"--rows 5 --out TMP/a.csv TMP", 2, "not a dataset"},
		{"--rows 500 --out TMP/a.csv DAMAGED", 1, "read shard 00001: read positions/validation-00001.parquet: corrupt: SHA-256"},
		{"--rows 500 --out TMP/a.npz DAMAGED", 1, "read shard 00001: read positions/validation-00001.parquet: corrupt: SHA-256"},
		{"--rows 500 --by ply --out TMP/a.npz DAMAGED", 1, "read shard 00001: read positions/validation-00001.parquet: corrupt: SHA-256"},
	} {
		t.Run(c.args, func(t *testing.T) {
			args := strings.NewReplacer("TMP", tmp, "DIR", dir, "PLANES", planes, "DAMAGED", damaged).Replace(c.args)
			o := export(append([]string{"sample", "--quiet"}, strings.Fields(args)...)...)
			mustRefuse(t, o, c.code, c.want)
			if left, _ := os.ReadDir(tmp); len(left) != 1 || o.stdout != "" {
				t.Errorf("output was written: %v, %q", left, o.stdout)
			}
		})
	}
	mustEqual(t, tree(t, dir), before)
	if !bytes.Equal(read(t, filepath.Join(tmp, "taken.csv")), []byte("mine")) {
		t.Error("an existing file was replaced")
	}
}
