package program

import (
	"context"
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"selfplay/datasets"
	"selfplay/datasets/making"
	"selfplay/datasets/plan"
	"selfplay/datasets/query"
	"selfplay/datasets/rows"
	"selfplay/datasets/wdl"
	"selfplay/encode"
	"selfplay/engine"
	"selfplay/internal/must"
	"selfplay/workers"
)

// tableOf parses a CSV file into columns.
func tableOf(t *testing.T, text string) map[string][]string {
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
	return tableOf(t, o.stdout)
}

// TestSampleDrawsDistinctRows: in the order of the dataset, as head prints them.
func TestSampleDrawsDistinctRows(t *testing.T) {
	dir := randomDataset(t, plan.List)
	all := strings.SplitAfter(mustExport(t, "head", "--rows", "100000", "--json", dir), "\n")
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
	dir := randomDataset(t, plan.List)
	packed, arrow := randomDataset(t, plan.Packed), filepath.Join(t.TempDir(), "arrow")
	mustExport(t, "rows", "--format", "arrow", "--out", arrow, dir)
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
	dir, out := randomDataset(t, plan.List), t.TempDir()
	s := object[sampled](t, "sample", "--json", "--rows", "90", "--by", "phase", "--out", out+"/a.csv", dir)
	text := string(readBytes(t, out+"/a.csv"))
	columns, counts := tableOf(t, text), map[int]int{}
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
	dir := randomDataset(t, plan.List)
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
	dir := randomDataset(t, plan.List)
	must.Do(t, os.Remove(filepath.Join(dir, ".selfplay/commits/00001.json")))
	o := export("sample", "--rows", "50", "--format", "csv", "--out", "-", dir)
	if o.code != 0 || !strings.Contains(o.stderr, "the dataset is unfinished") || len(tableOf(t, o.stdout)["game"]) != 50 {
		t.Errorf("%+v", o)
	}
}

// searchedDataset makes a dataset of games of a searching player. change may modify the
// series.
func searchedDataset(t *testing.T, game, player string, games uint64, change func(*workers.Series)) string {
	t.Helper()
	g := must.Get(encode.Games().Find(game))(t)
	spec, err := workers.ParsePlayer(&g.Game, player)
	must.Do(t, err)
	s := workers.Series{Game: g, Players: [2]workers.PlayerSpec{spec, spec}, Seed: 5, Opening: workers.Opening{MinPlies: 4, MaxPlies: 10}}
	if change != nil {
		change(&s)
	}
	pool := workers.Start(s, 2)
	defer pool.Close()
	shape := rows.New(g, "", s.Seed, spec.Searches())
	shape.WDL = s.WDL()
	p := plan.Plan{Game: game, Rules: g.Rules, Seed: s.Seed, MaxPlies: s.MaxPlies, Actions: g.Actions.Version, ShardGames: 10}
	for side := range p.Players {
		p.Players[side] = plan.Player{Spec: spec.String(), Version: spec.Version()}
	}
	shape.Into(&p)
	dir := filepath.Join(t.TempDir(), "set")
	_, err = making.Make(t.Context(), dir, p, games, making.Options{Play: pool.Play, Rows: shape.Rows(), Description: shape.Description()})
	must.Do(t, err)
	return dir
}

// printed returns a number as wdl --json writes it.
func printed(f float64) float64 {
	f, _ = strconv.ParseFloat(strconv.FormatFloat(f, 'g', wdlDigits, 64), 64)
	return f
}

// wdlOf returns the output of wdl --json.
func wdlOf(t *testing.T, dir string, flags ...string) wdlFit {
	t.Helper()
	return object[wdlFit](t, append([]string{"wdl", "--json", dir}, flags...)...)
}

// TestWDLFitsTheRows: the fit equals a fit to the rows, of games that were not cut off, with
// a score that is not a proven end.
func TestWDLFitsTheRows(t *testing.T) {
	for _, game := range encode.Games().Names() {
		dir := searchedDataset(t, game, "0.2*random + 0.8*greedy", 40, nil)
		got, want := wdlOf(t, dir), tallyOfRows(t, dir)
		m := must.Get(wdl.Fit(want))(t)
		if got.Game != game || got.N != want.Sum().All() || got.A != printed(m.A) || got.B != printed(m.B) {
			t.Errorf("%s: %d plies, a %f, b %f; the rows give %d plies, a %f, b %f", game, got.N, got.A, got.B, want.Sum().All(), m.A, m.B)
		}
		if got.LogLoss >= got.LogLossConstant || got.Known != nil {
			t.Errorf("%s: log loss %f, without scores %f, known %+v", game, got.LogLoss, got.LogLossConstant, got.Known)
		}
		plies := uint64(0)
		for _, b := range got.Buckets {
			plies += b.Plies
		}
		if plies != got.N || len(got.Buckets) != wdl.BucketCount {
			t.Errorf("%s: %d buckets have %d of %d plies", game, len(got.Buckets), plies, got.N)
		}
	}
}

// TestWDLComparesTheModelOfTheFiles with the fit, which is better on these games.
func TestWDLComparesTheModelOfTheFiles(t *testing.T) {
	dir := searchedDataset(t, "contrast", "ab:depth=1,net=none", 60, nil)
	f := wdlOf(t, dir)
	if f.Known == nil || f.Known.A == 0 || f.Known.FittedTo != "ab:depth=1,net=none against itself" || f.LogLoss > f.Known.LogLoss {
		t.Errorf("log loss %f, known %+v", f.LogLoss, f.Known)
	}
	if text := mustExport(t, "wdl", dir); !strings.Contains(text, " by the model of the files, a ") {
		t.Error(text)
	}
}

// tallyOfRows reads scores and outcomes from the positions table.
func tallyOfRows(t *testing.T, dir string) wdl.Tally {
	t.Helper()
	ds := must.Get(datasets.Open(dir))(t)
	all := must.Get((&query.Query{Dataset: ds}).Head(t.Context(), 1<<20))(t)
	tally, column := wdl.Tally{}, func(name string) int { return encode.ColumnNamed(all.Columns, name) }
	searched, score, outcome, reason := column("searched"), column("score"), column("outcome"), column("reason")
	for row := range all.Rows {
		points := int(int16(uint16(all.Cell(score, row)[0]) | uint16(all.Cell(score, row)[1])<<8))
		if all.Cell(searched, row)[0] == 1 && max(points, -points) <= engine.MaxStatic && engine.Reason(all.Cell(reason, row)[0]) != engine.PlyLimit {
			tally.Add(points, int8(all.Cell(outcome, row)[0]))
		}
	}
	return tally
}

// TestWDLExcludesGames: those that were cut off, which have no result, and those that were
// adjudicated by their scores.
func TestWDLExcludesGames(t *testing.T) {
	cut := searchedDataset(t, "contrast", "greedy", 40, func(s *workers.Series) { s.MaxPlies = 20 })
	if f := wdlOf(t, cut); f.Cut == 0 || f.Games == 0 || f.Cut+f.Games != 40 {
		t.Errorf("of 40 games %d are counted, %d were cut off", f.Games, f.Cut)
	}
	judged := searchedDataset(t, "chess", "greedy", 40, func(s *workers.Series) {
		s.Adjudication = workers.Adjudication{Win: workers.WinRule{Score: 900, Plies: 4}, PlayOut: 500}
	})
	if f := wdlOf(t, judged); f.Adjudicated == 0 || f.Games == 0 || f.Adjudicated+f.Games != 40 {
		t.Errorf("of 40 games %d are counted, %d were adjudicated", f.Games, f.Adjudicated)
	}
	if f := wdlOf(t, judged, "--adjudicated"); f.Adjudicated != 0 || f.Games != 40 {
		t.Errorf("with --adjudicated %d of 40 games are counted, %d are not", f.Games, f.Adjudicated)
	}
}

// TestWDLDoesNotDependOnProcessors: standard errors included.
func TestWDLDoesNotDependOnProcessors(t *testing.T) {
	dir := searchedDataset(t, "contrast", "greedy", 60, func(s *workers.Series) { s.MaxPlies = 20 })
	var lines [2]string
	for i, readers := range []int{1, 4} {
		before := runtime.GOMAXPROCS(readers)
		lines[i] = mustExport(t, "wdl", "--json", dir)
		runtime.GOMAXPROCS(before)
	}
	if lines[0] != lines[1] || !strings.Contains(lines[0], `"b_error":`) {
		t.Errorf("with one processor\n%s\nwith four\n%s", lines[0], lines[1])
	}
}

// TestReadingStopsWhenCancelled: commands that read all games end with exit code 3 and
// print no result.
func TestReadingStopsWhenCancelled(t *testing.T) {
	dir := searchedDataset(t, "contrast", "greedy", 20, nil)
	for _, command := range []string{"wdl", "stats"} {
		ctx, stop := context.WithCancel(t.Context())
		stop()
		var stdout, stderr strings.Builder
		code := runExport(ctx, catalog, []string{"export", command, dir}, strings.NewReader(""), &stdout, &stderr)
		if mustRefuse(t, outcome{"export", code, stdout.String(), stderr.String()}, 3, ""); stdout.Len() > 0 {
			t.Errorf("%s: %s", command, stdout.String())
		}
	}
}
