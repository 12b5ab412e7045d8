package export

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"selfplay/datasets"
	"selfplay/datasets/dedup"
	"selfplay/datasets/plan"
	"selfplay/encode"
	"selfplay/internal/must"
	"selfplay/workers"
)

// someRow is a row as head --json prints it. In Contrast, a board and a side are a position.
type someRow struct {
	Game  uint64
	Ply   int
	Side  int
	Board []int
}

func (r someRow) position() string { return fmt.Sprint(r.Board, r.Side) }

// rowsIn returns the rows of a dataset.
func rowsIn(t *testing.T, dir string) []someRow {
	t.Helper()
	return objects[someRow](t, "head", "--json", "--rows", "100000", dir)
}

// mustDedup runs dedup with --out out.
func mustDedup(t *testing.T, out string, args ...string) {
	t.Helper()
	mustRun(t, append([]string{"dedup", "--quiet", "--out", out}, args...)...)
}

// TestDedup: the result of two datasets has the first row of every position, in order.
func TestDedup(t *testing.T) {
	dir := t.TempDir()
	a, b := filepath.Join(dir, "a"), filepath.Join(dir, "b")
	contrastGames(t, a, plan.Parquet, plan.List, 5, 30)
	contrastGames(t, b, plan.Arrow, plan.Packed, 7, 9) // the first five games begin as those of a
	var want []someRow
	seen := map[string]bool{}
	for i, set := range []string{a, b} {
		for _, r := range rowsIn(t, set) {
			if r.Game += uint64(5 * i); !seen[r.position()] {
				seen[r.position()] = true
				want = append(want, r)
			}
		}
	}
	out := filepath.Join(dir, "out")
	mustDedup(t, out, a, b)
	got := rowsIn(t, out)
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%d rows, want %d:\n%v\n%v", len(got), len(want), got, want)
	}
	if n := len(rowsIn(t, a)) + len(rowsIn(t, b)); !strings.Contains(mustRun(t, "info", out), fmt.Sprintf("%d rows, unique", n-len(want))) {
		t.Errorf("info does not print the %d dropped rows: %s", n-len(want), mustRun(t, "info", out))
	}
}

// TestDedupInEveryShape: dedup keeps the same rows in every layout and perspective, and
// rows made from a deduplicated dataset stay unique.
func TestDedupInEveryShape(t *testing.T) {
	dir := t.TempDir()
	a, out := filepath.Join(dir, "a"), filepath.Join(dir, "out")
	contrastGames(t, a, plan.Parquet, plan.List, 6, 20)
	mustDedup(t, out, a)
	for _, flags := range []string{"--layout planes", "--perspective mover --columns +hash", "--where ply>=3", "--format arrow"} {
		name := strings.ReplaceAll(flags, " ", "")
		before, after, both := filepath.Join(dir, "1"+name), filepath.Join(dir, "2"+name), filepath.Join(dir, "3"+name)
		for _, step := range [][]string{
			slices.Concat([]string{"rows", "--quiet"}, strings.Fields(flags), []string{"--out", before, a}),
			{"dedup", "--quiet", "--out", both, before},
			slices.Concat([]string{"rows", "--quiet"}, strings.Fields(flags), []string{"--out", after, out}),
			{"verify", "--deep", both}, {"verify", "--deep", after},
		} {
			mustRun(t, step...)
		}
		x, y := tree(t, both), tree(t, after)
		// The plans name different sources, and the files contain the hash of the plan.
		if i, j := object[datasets.Info](t, "info", "--json", both), object[datasets.Info](t, "info", "--json", after); i.Rows != j.Rows || len(x) != len(y) || len(x) == 0 {
			t.Fatalf("%s: %+v, but %+v", flags, i, j)
		}
	}
}

// TestOverlap: stats --exact counts the same as a map of all rows, also if shards are
// missing.
func TestOverlap(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a")
	contrastGames(t, dir, plan.Parquet, plan.List, 30, 20)
	t.Run("finished", func(t *testing.T) { mustCountOverlap(t, dir) })
	out := filepath.Join(t.TempDir(), "out")
	mustDedup(t, out, dir)
	if o := export("stats", "--exact", out); !strings.Contains(o.stdout, "; 0.00 % are duplicates") || !strings.Contains(o.stdout, " 0 of 182 validation rows, ") {
		t.Errorf("%+v", o)
	}
	if a, b := export("stats", out), export("stats", "--exact", out); a != b {
		t.Errorf("a small dataset is not compared by default: %+v, want %+v", a, b)
	}
	if o := export("stats", "--exact=false", out); !strings.Contains(o.stdout, "leakage  ") || !strings.Contains(o.stdout, " not measured: --exact compares") {
		t.Errorf("no line about leakage: %+v", o)
	}
	unfinish(t, dir, 0, 3, 14)
	t.Run("unfinished", func(t *testing.T) { mustCountOverlap(t, dir) })
}

// unfinish removes the commit records of shards, as if they had not been made.
func unfinish(t *testing.T, dir string, shards ...int) {
	t.Helper()
	names := []string{"manifest.json"}
	for _, n := range shards {
		names = append(names, fmt.Sprintf(".selfplay/commits/%05d.json", n))
	}
	for _, name := range names {
		must.Do(t, os.Remove(filepath.Join(dir, name)))
	}
}

// TestOverlapOfUnfinishedUniqueRows: --exact is refused, because the rows depend on the
// missing games. Other statistics do not.
func TestOverlapOfUnfinishedUniqueRows(t *testing.T) {
	dir := t.TempDir()
	a := filepath.Join(dir, "a")
	contrastGames(t, a, plan.Parquet, plan.List, 10, 20)
	for shard := range 5 {
		out := filepath.Join(dir, fmt.Sprint(shard))
		mustDedup(t, out, a)
		unfinish(t, out, shard)
		for _, args := range [][]string{{"stats", "--exact", out}, {"report", "--exact", "--json", out}} {
			mustRefuse(t, export(args...), 2, "1 of 5 shards are missing: run export dedup to finish it")
		}
		if o := export("stats", out); o.code != 0 || !strings.Contains(o.stdout, "8, ") || !strings.Contains(o.stdout, " not measured: --exact compares") {
			t.Errorf("%+v", o)
		}
	}
}

// mustCountOverlap compares stats --exact with the rows of a dataset of Contrast.
func mustCountOverlap(t *testing.T, dir string) {
	t.Helper()
	ds := must.Get(datasets.Open(dir))(t)
	splits := ds.Plan().Splits()
	train, all := map[string]bool{}, map[string]bool{}
	rows := rowsIn(t, dir)
	for _, r := range rows {
		all[r.position()] = true
		if !splits.Validation(r.Game) {
			train[r.position()] = true
		}
	}
	want := dedup.Overlap{Rows: uint64(len(rows)), Distinct: uint64(len(all))}
	for _, r := range rows {
		if splits.Validation(r.Game) {
			want.Validation++
			if train[r.position()] {
				want.Leaked++
			}
		}
	}
	for _, memory := range []string{"1MiB", "1GB"} {
		got := *object[gameStats](t, "stats", "--exact", "--memory", memory, "--json", dir).Overlap
		if got.Leaked == 0 || got.Duplicates <= 0 || got.Leakage != float64(got.Leaked)/float64(got.Validation) {
			t.Errorf("%+v", got)
		}
		if got.Duplicates, got.Leakage = 0, 0; got != want {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
}

// TestDedupKeepsTheModelThatAllGamesShare: games of different players can be joined, but no
// model of scores is true of them all.
func TestDedupKeepsTheModelThatAllGamesShare(t *testing.T) {
	deep, shallow, greedy := searchedDataset(t, "contrast", "ab:depth=2,net=none", 3, nil), searchedDataset(t, "contrast", "ab:depth=1,net=none", 4, nil), searchedDataset(t, "contrast", "greedy", 5, nil)
	other := searchedDataset(t, "contrast", "ab:depth=1,net=none", 4, func(s *workers.Series) { s.Seed = 6 })
	for _, c := range []struct {
		dirs []string
		want bool
	}{{[]string{shallow}, true}, {[]string{shallow, other}, true}, {[]string{greedy}, false}, {[]string{shallow, deep}, false}, {[]string{greedy, shallow}, false}} {
		dir := t.TempDir()
		out, rows := filepath.Join(dir, "out"), filepath.Join(dir, "rows")
		mustDedup(t, out, c.dirs...)
		mustRun(t, "rows", "--columns", "+hash", "--out", rows, out)
		for _, set := range []string{out, rows} {
			ds := must.Get(datasets.Open(set))(t)
			if model := encode.ReadWDL(ds.Description().Metadata); (model != nil) != c.want {
				t.Errorf("%d datasets: model %+v, want one: %t", len(c.dirs), model, c.want)
			}
		}
	}
}

// TestCardOfJoinedGamesTellsWhereTheyComeFrom: imported games stay imported ones, and scores may be of a later search.
func TestCardOfJoinedGamesTellsWhereTheyComeFrom(t *testing.T) {
	dir := t.TempDir()
	played, pgn := playedWith(t, encode.Chess(), 4, 334), filepath.Join(dir, "pgn")
	mustRun(t, "convert", "--quiet", "--format", "pgn", "--out", pgn, played)
	files := must.Get(filepath.Glob(filepath.Join(pgn, "*.pgn")))(t)
	mustRun(t, append([]string{"import", "--quiet", "--format", "pgn", "--out", filepath.Join(dir, "imported")}, files...)...)
	mustRun(t, "rescore", "--quiet", "--player", "ab:depth=1", "--out", filepath.Join(dir, "rescored"), played)
	for from, kind := range map[string]string{"imported": "12 imported games of Chess", "rescored": "12 self-play games of Chess"} {
		out := filepath.Join(dir, from+"-joined")
		mustRun(t, "dedup", "--quiet", "--out", out, filepath.Join(dir, from))
		card := string(read(t, filepath.Join(out, "README.md")))
		for _, text := range []string{kind, "The games come from other datasets", "If those datasets were rescored, the scores are of that search."} {
			if !strings.Contains(card, text) {
				t.Errorf("%s: no %q in\n%s", from, text, card)
			}
		}
		if strings.Contains(card, ") played ") {
			t.Errorf("%s: the card names one player:\n%s", from, card)
		}
	}
}

// TestVerifyOfDedupBelievesNothing: which rows are first follows from all games. So verify --deep reads them only from
// files whose SHA-256 it has computed itself, whatever the process knows of them.
func TestVerifyOfDedupBelievesNothing(t *testing.T) {
	dir := t.TempDir()
	from, out := filepath.Join(dir, "from"), filepath.Join(dir, "out")
	tiny(t, from, plan.Parquet, plan.List)
	mustDedup(t, out, from)
	ds := must.Get(datasets.Open(out))(t)
	must.Get(ds.Source(t.Context()))(t) // the process hashes the files of games
	name := filepath.Join(out, must.Get(ds.Parts())(t)[0].Files[plan.GamesFile].Name)
	data, info := must.Get(os.ReadFile(name))(t), must.Get(os.Stat(name))(t)
	data[bytes.LastIndex(data, []byte(ds.PlanHash()))] ^= 1 // no reader of games looks at it
	must.Do(t, os.WriteFile(name, data, 0o644))
	must.Do(t, os.Chtimes(name, info.ModTime(), info.ModTime()))
	if _, err := ds.Source(t.Context()); err != nil {
		t.Fatalf("the file was hashed again: %v", err)
	}
	if o := export("verify", "--deep", out); o.code != 4 || !strings.Contains(o.stdout, "checked: the SHA-256 of every file") {
		t.Errorf("%+v, want no replay of games that are damaged", o)
	}
}
