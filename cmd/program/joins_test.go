package program

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
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
	mustExport(t, append([]string{"dedup", "--quiet", "--out", out}, args...)...)
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
	if n := len(rowsIn(t, a)) + len(rowsIn(t, b)); !strings.Contains(mustExport(t, "info", out), fmt.Sprintf("%d rows, unique", n-len(want))) {
		t.Errorf("info does not print the %d dropped rows: %s", n-len(want), mustExport(t, "info", out))
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
			mustExport(t, step...)
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
		mustExport(t, "rows", "--columns", "+hash", "--out", rows, out)
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
	mustExport(t, "convert", "--quiet", "--format", "pgn", "--out", pgn, played)
	files := must.Get(filepath.Glob(filepath.Join(pgn, "*.pgn")))(t)
	mustExport(t, append([]string{"import", "--quiet", "--format", "pgn", "--out", filepath.Join(dir, "imported")}, files...)...)
	mustExport(t, "rescore", "--quiet", "--player", "ab:depth=1", "--out", filepath.Join(dir, "rescored"), played)
	for from, kind := range map[string]string{"imported": "12 imported games of Chess", "rescored": "12 self-play games of Chess"} {
		out := filepath.Join(dir, from+"-joined")
		mustExport(t, "dedup", "--quiet", "--out", out, filepath.Join(dir, from))
		card := string(readBytes(t, filepath.Join(out, "README.md")))
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

// playedWith makes a dataset of 12 random games with a seed, in shards of 4, one of them for
// validation.
func playedWith(t *testing.T, game encode.Game, seed uint64, validation int) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "set")
	makeRandom(t, dir, game, &game.Layouts[0], 12, plan.Plan{Seed: seed, MaxPlies: 60, ShardGames: 4, Validation: validation}, nil)
	return dir
}

// TestMixWritesFoldersAndStreams: the rows of a split are the same in both, and a second mix
// gives the same bytes.
func TestMixWritesFoldersAndStreams(t *testing.T) {
	a, b := playedWith(t, encode.Games()[0], 1, 334), playedWith(t, encode.Games()[0], 2, 334)
	weights, dir := "--weights="+a+"=0.6,"+b+"=0.4", t.TempDir()
	out := filepath.Join(dir, "mixed")
	w := object[written](t, "mix", "--json", weights, "--format", "jsonl", "--file-rows", "100", "--out", out)
	var train, all string
	files, _ := filepath.Glob(filepath.Join(out, "*.jsonl"))
	for _, name := range files {
		text := string(readBytes(t, name))
		if all += text; strings.HasPrefix(filepath.Base(name), plan.Train) {
			train += text
		}
	}
	if uint64(strings.Count(all, "\n")) != w.Rows || w.Files != len(files) || train == all {
		t.Errorf("%d rows in %d files, printed %+v", strings.Count(all, "\n"), len(files), w)
	}
	if o := export("mix", "--quiet", weights, "--format", "jsonl", "--split", "train", "--out", "-"); o.stdout != train || o.code != 0 {
		t.Errorf("the stream differs from the files: %d and %d bytes, %s", len(o.stdout), len(train), o.stderr)
	}
	again := filepath.Join(dir, "again")
	mustExport(t, "mix", "--quiet", weights, "--format", "jsonl", "--file-rows", "100", "--out", again)
	for _, name := range append(files, "SHA256SUMS", "metadata.json") {
		name = filepath.Base(name)
		if string(readBytes(t, filepath.Join(out, name))) != string(readBytes(t, filepath.Join(again, name))) {
			t.Errorf("%s differs the second time", name)
		}
	}
	mustExport(t, "mix", "--quiet", weights, "--out", filepath.Join(dir, "parquet"), "--rows", "50", "--repeat", "--split", "validation")
}

// TestMixRefusesTheSameGames, however many datasets lie between them.
func TestMixRefusesTheSameGames(t *testing.T) {
	dir := t.TempDir()
	a, foreign := filepath.Join(dir, "a"), filepath.Join(dir, "foreign")
	for out, seed := range map[string]uint64{a: 5, foreign: 6} {
		mustExport(t, "rescore", "--quiet", "--player", "ab:depth=1", "--out", out, playedWith(t, encode.Contrast(), seed, 334))
	}
	other, once, twice := filepath.Join(dir, "other"), filepath.Join(dir, "once"), filepath.Join(dir, "twice")
	mustExport(t, "rows", "--quiet", "--validation", "0.5", "--out", other, a)
	mustExport(t, "rescore", "--quiet", "--player", "ab:depth=1", "--out", once, other)
	mustExport(t, "rescore", "--quiet", "--player", "ab:depth=1", "--out", twice, once)
	for _, b := range []string{other, once, twice} {
		mustRefuse(t, export("mix", "--weights", a+"=0.5,"+b+"=0.5", "--format", "csv", "--out", filepath.Join(dir, "mixed")), 2, "have the same games")
	}
	mustExport(t, "mix", "--quiet", "--weights", foreign+"=0.5,"+twice+"=0.5", "--format", "csv", "--out", filepath.Join(dir, "mixed"))
}

// TestMixComparesGamesWhosePlansDoNotTell: joined datasets, and one file in two forms.
func TestMixComparesGamesWhosePlansDoNotTell(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	one, two, three := playedWith(t, encode.Chess(), 1, 334), playedWith(t, encode.Chess(), 2, 334), playedWith(t, encode.Chess(), 3, 334)
	mustExport(t, "dedup", "--quiet", "--validation", "0.5", "--out", at("joined"), one, two)
	mustExport(t, "rows", "--quiet", "--where", "!check", "--out", at("rows"), one)
	mustExport(t, "rows", "--quiet", "--where", "!check", "--out", at("other"), three)
	mustExport(t, "convert", "--quiet", "--format", "pgn", "--out", at("pgn"), one)
	pgn := must.Get(filepath.Glob(filepath.Join(at("pgn"), "*.pgn")))(t)
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	must.Get(w.Write(readBytes(t, pgn[0])))(t)
	must.Do(t, w.Close())
	must.Do(t, os.WriteFile(at("same.pgn.gz"), packed.Bytes(), 0o600))
	mustExport(t, "import", "--quiet", "--format", "pgn", "--out", at("plain"), pgn[0])
	mustExport(t, "import", "--quiet", "--format", "pgn", "--validation", "0.3", "--out", at("packed"), at("same.pgn.gz"))
	for _, c := range []struct {
		a, b, want string
	}{
		{at("joined"), at("rows"), "12 of the 12 games of the smaller one are in the other, too"},
		{at("plain"), at("packed"), "games of the smaller one are in the other, too"},
		{at("joined"), at("other"), ""},
	} {
		o := export("mix", "--quiet", "--weights", c.a+"=0.5,"+c.b+"=0.5", "--split", "train", "--format", "csv", "--rows", "10", "--out", "-")
		if c.want == "" && o.code != 0 || c.want != "" && (o.code != 2 || !strings.Contains(o.stderr, c.want)) {
			t.Errorf("%s and %s: code %d, %s", c.a, c.b, o.code, o.stderr)
		}
	}
}

// TestMixComparesGamesOfOneSeed: a rule of play that never applies makes another plan of the same games, and so does their
// import.
func TestMixComparesGamesOfOneSeed(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	for name, more := range map[string][]string{"one": {"--validation", "0.5"}, "other": {"--max-plies", "499"}} {
		mustRun(t, append([]string{"run", "--quiet", "--game", "contrast", "--player", "random", "--games", "20", "--seed", "2", "--out", at(name)}, more...)...)
	}
	mustExport(t, "convert", "--quiet", "--format", "moves", "--out", at("moves"), at("one"))
	moves := must.Get(filepath.Glob(filepath.Join(at("moves"), "*.jsonl")))(t)
	mustExport(t, append([]string{"import", "--quiet", "--format", "moves", "--game", "contrast", "--out", at("imported")}, moves...)...)
	for _, name := range []string{"other", "imported"} {
		mustRefuse(t, export("mix", "--weights", at("one")+"=0.5,"+at(name)+"=0.5", "--format", "csv", "--out", at("mixed")), 2,
			"20 of the 20 games of the smaller one are in the other, too")
	}
}

// TestRowsOfAMixHaveKeysOfTheirOwn: two datasets have games of the same numbers.
func TestRowsOfAMixHaveKeysOfTheirOwn(t *testing.T) {
	out := filepath.Join(t.TempDir(), "mixed")
	weights := "--weights=" + playedWith(t, encode.Contrast(), 1, 334) + "=0.5," + playedWith(t, encode.Contrast(), 2, 334) + "=0.5"
	w := object[written](t, "mix", "--json", weights, "--format", "webdataset", "--file-rows", "50", "--split", "train", "--out", out)
	keys := map[string]bool{}
	files := must.Get(filepath.Glob(filepath.Join(out, "*.tar")))(t)
	for _, name := range files {
		f := must.Get(os.Open(name))(t)
		defer f.Close()
		for archive := tar.NewReader(f); ; {
			h, err := archive.Next()
			if errors.Is(err, io.EOF) {
				break
			}
			must.Do(t, err)
			if key, isRow := strings.CutSuffix(h.Name, ".json"); isRow {
				if keys[key] {
					t.Errorf("%s has a second row %s", name, key)
				}
				keys[key] = true
			}
		}
	}
	if uint64(len(keys)) != w.Rows || len(files) < 2 {
		t.Errorf("%d keys of %d rows in %d files", len(keys), w.Rows, len(files))
	}
}

// TestMixRefusesDatasetsWithoutRows: streams, folders and mixes that repeat.
func TestMixRefusesDatasetsWithoutRows(t *testing.T) {
	dir := t.TempDir()
	none, out := filepath.Join(dir, "none"), filepath.Join(dir, "mixed")
	mustExport(t, "rows", "--quiet", "--where", "ply>=60000", "--out", none, playedWith(t, encode.Contrast(), 1, 334))
	weights := playedWith(t, encode.Contrast(), 2, 334) + "=0.9," + none + "=0.1"
	for _, flags := range []string{
		"--format csv --split train --out -", "--format csv --split train --repeat --rows 90 --out -",
		"--split train --out " + out, "--repeat --rows 90 --out " + out,
	} {
		args := append([]string{"mix", "--quiet", "--weights", weights}, strings.Fields(flags)...)
		mustRefuse(t, export(args...), 2, "mix "+none+": it has no train rows")
	}
	if list := must.Get(os.ReadDir(dir))(t); len(list) != 1 {
		t.Errorf("%v is left over", list)
	}
}

// TestDatasetsOfDifferentModelsFitTogether: which models played is no difference of rows.
func TestDatasetsOfDifferentModelsFitTogether(t *testing.T) {
	p := plan.Plan{Game: "chess", Evaluators: []plan.Evaluator{{Name: "mine", Fingerprint: "a"}}}
	q := plan.Plan{Game: "chess", Evaluators: []plan.Evaluator{{Name: "mine", Fingerprint: "b"}}}
	if list := differences(p, q); len(list) > 0 {
		t.Error(list)
	}
	if sameStart(p, q) || !sameStart(p, p) {
		t.Error("games of two models of one name are the same")
	}
	var d deduplication
	d.sets = make([]*datasets.Dataset, 2)
	d.join(p, "x", 1)
	d.join(q, "y", 1)
	if d.plan.Evaluators != nil || d.plan.Players[0].Spec != variousPlayers {
		t.Errorf("%+v", d.plan)
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
