package export

import (
	"context"
	"path/filepath"
	"runtime"
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
	if text := mustRun(t, "wdl", dir); !strings.Contains(text, " by the model of the files, a ") {
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
		lines[i] = mustRun(t, "wdl", "--json", dir)
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
		code := Run(ctx, known, []string{"export", command, dir}, strings.NewReader(""), &stdout, &stderr)
		if mustRefuse(t, outcome{code, stdout.String(), stderr.String()}, 3, ""); stdout.Len() > 0 {
			t.Errorf("%s: %s", command, stdout.String())
		}
	}
}
