package export

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"selfplay/datasets"
	"selfplay/datasets/plan"
	"selfplay/encode"
	"selfplay/internal/must"
)

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
		text := string(read(t, name))
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
	mustRun(t, "mix", "--quiet", weights, "--format", "jsonl", "--file-rows", "100", "--out", again)
	for _, name := range append(files, "SHA256SUMS", "metadata.json") {
		name = filepath.Base(name)
		if string(read(t, filepath.Join(out, name))) != string(read(t, filepath.Join(again, name))) {
			t.Errorf("%s differs the second time", name)
		}
	}
	mustRun(t, "mix", "--quiet", weights, "--out", filepath.Join(dir, "parquet"), "--rows", "50", "--repeat", "--split", "validation")
}

// TestMixRefusesTheSameGames, however many datasets lie between them.
func TestMixRefusesTheSameGames(t *testing.T) {
	dir := t.TempDir()
	a, foreign := filepath.Join(dir, "a"), filepath.Join(dir, "foreign")
	for out, seed := range map[string]uint64{a: 5, foreign: 6} {
		mustRun(t, "rescore", "--quiet", "--player", "ab:depth=1", "--out", out, playedWith(t, encode.Contrast(), seed, 334))
	}
	other, once, twice := filepath.Join(dir, "other"), filepath.Join(dir, "once"), filepath.Join(dir, "twice")
	mustRun(t, "rows", "--quiet", "--validation", "0.5", "--out", other, a)
	mustRun(t, "rescore", "--quiet", "--player", "ab:depth=1", "--out", once, other)
	mustRun(t, "rescore", "--quiet", "--player", "ab:depth=1", "--out", twice, once)
	for _, b := range []string{other, once, twice} {
		mustRefuse(t, export("mix", "--weights", a+"=0.5,"+b+"=0.5", "--format", "csv", "--out", filepath.Join(dir, "mixed")), 2, "have the same games")
	}
	mustRun(t, "mix", "--quiet", "--weights", foreign+"=0.5,"+twice+"=0.5", "--format", "csv", "--out", filepath.Join(dir, "mixed"))
}

// TestMixComparesGamesWhosePlansDoNotTell: joined datasets, and one file in two forms.
func TestMixComparesGamesWhosePlansDoNotTell(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	one, two, three := playedWith(t, encode.Chess(), 1, 334), playedWith(t, encode.Chess(), 2, 334), playedWith(t, encode.Chess(), 3, 334)
	mustRun(t, "dedup", "--quiet", "--validation", "0.5", "--out", at("joined"), one, two)
	mustRun(t, "rows", "--quiet", "--where", "!check", "--out", at("rows"), one)
	mustRun(t, "rows", "--quiet", "--where", "!check", "--out", at("other"), three)
	mustRun(t, "convert", "--quiet", "--format", "pgn", "--out", at("pgn"), one)
	pgn := must.Get(filepath.Glob(filepath.Join(at("pgn"), "*.pgn")))(t)
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	must.Get(w.Write(read(t, pgn[0])))(t)
	must.Do(t, w.Close())
	must.Do(t, os.WriteFile(at("same.pgn.gz"), packed.Bytes(), 0o600))
	mustRun(t, "import", "--quiet", "--format", "pgn", "--out", at("plain"), pgn[0])
	mustRun(t, "import", "--quiet", "--format", "pgn", "--validation", "0.3", "--out", at("packed"), at("same.pgn.gz"))
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
	mustRun(t, "rows", "--quiet", "--where", "ply>=60000", "--out", none, playedWith(t, encode.Contrast(), 1, 334))
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
	if d.plan.Evaluators != nil || d.plan.Players[0].Spec != various {
		t.Errorf("%+v", d.plan)
	}
}
