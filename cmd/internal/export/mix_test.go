package export

import (
	"path/filepath"
	"strings"
	"testing"

	"selfplay/datasets/plan"
	"selfplay/encode"
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
