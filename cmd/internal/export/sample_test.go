package export

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"selfplay/datasets"
	"selfplay/datasets/plan"
	"selfplay/internal/must"
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
	dir := dataset(t, plan.List)
	all := strings.SplitAfter(mustRun(t, "head", "--rows", "100000", "--json", dir), "\n")
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
	dir := dataset(t, plan.List)
	packed, arrow := dataset(t, plan.Packed), filepath.Join(t.TempDir(), "arrow")
	mustRun(t, "rows", "--format", "arrow", "--out", arrow, dir)
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

// TestSampleByStrata: draws equally many rows of each class, and counts them.
func TestSampleByStrata(t *testing.T) {
	dir, out := dataset(t, plan.List), t.TempDir()
	s := object[sampled](t, "sample", "--json", "--rows", "90", "--by", "phase", "--out", out+"/a.csv", dir)
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
}

// TestSampleOfASplit: draws only rows of its games.
func TestSampleOfASplit(t *testing.T) {
	dir := dataset(t, plan.List)
	splits := must.Get(datasets.Open(dir))(t).Plan().Splits()
	for _, split := range []string{plan.Train, plan.Validation} {
		for _, game := range sampleOf(t, "--rows", "50", "--split", split, dir)["game"] {
			if n, _ := strconv.ParseUint(game, 10, 64); splits.Of(n) != split {
				t.Errorf("game %s in a sample of %s", game, split)
			}
		}
	}
}

// TestSampleOfAnUnfinishedDataset: draws from the committed shards, with a warning.
func TestSampleOfAnUnfinishedDataset(t *testing.T) {
	dir := dataset(t, plan.List)
	must.Do(t, os.Remove(filepath.Join(dir, ".selfplay/commits/00001.json")))
	o := export("sample", "--rows", "50", "--format", "csv", "--out", "-", dir)
	if o.code != 0 || !strings.Contains(o.stderr, "the dataset is unfinished") || len(table(t, o.stdout)["game"]) != 50 {
		t.Errorf("%+v", o)
	}
}
