package export

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"selfplay/datasets"
	"selfplay/datasets/plan"
	"selfplay/encode"
	"selfplay/workers"
)

// playedWith makes a dataset of 12 random games with a seed, in shards of 4, one of them for
// validation.
func playedWith(t *testing.T, game encode.Game, seed uint64, validation int) string {
	t.Helper()
	player, err := workers.ParsePlayer(&game.Game, "random")
	if err != nil {
		t.Fatal(err)
	}
	pool := workers.Start(workers.Series{Game: game, Players: [2]workers.PlayerSpec{player, player}, Seed: seed, MaxPlies: 60}, 2)
	defer pool.Close()
	view, dir := encode.View{Layout: &game.Layouts[0]}, filepath.Join(t.TempDir(), "set")
	_, err = datasets.Make(t.Context(), dir, plan.Plan{
		Game: game.Name, Rules: game.Rules, Seed: seed, MaxPlies: 60, Layout: view.Layout.Name, LayoutVersion: view.Layout.Version,
		Actions: game.Actions.Version, ShardGames: 4, Validation: validation,
	}, 12, datasets.Options{
		Play: pool.Play,
		Rows: func() datasets.RowFunc { return encode.NewReplayer(game, "", view).Append },
		Description: plan.Description{
			Title: game.Title, Sides: game.Sides, Results: game.Results(), Reasons: game.ReasonNames(),
			Actions: game.Actions.Count, Columns: view.Columns(), Elements: view.Layout.Elements, Metadata: view.Layout.Metadata,
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestMixWritesFoldersAndStreams: the rows of a split are the same in both, and a second mix
// gives the same bytes.
func TestMixWritesFoldersAndStreams(t *testing.T) {
	a, b := playedWith(t, encode.Games()[0], 1, 334), playedWith(t, encode.Games()[0], 2, 334)
	weights, dir := "--weights="+a+"=0.6,"+b+"=0.4", t.TempDir()
	out := filepath.Join(dir, "mixed")
	o := export("mix", "--json", weights, "--format", "jsonl", "--file-rows", "100", "--out", out)
	var w written
	if err := json.Unmarshal([]byte(o.stdout), &w); err != nil || o.code != 0 {
		t.Fatalf("%v: %+v", err, o)
	}
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
	if o := export("mix", "--quiet", weights, "--format", "jsonl", "--file-rows", "100", "--out", again); o.code != 0 {
		t.Fatalf("%+v", o)
	}
	for _, name := range append(files, "SHA256SUMS", "metadata.json") {
		name = filepath.Base(name)
		if string(read(t, filepath.Join(out, name))) != string(read(t, filepath.Join(again, name))) {
			t.Errorf("%s differs the second time", name)
		}
	}
	if o := export("mix", "--quiet", weights, "--out", filepath.Join(dir, "parquet"), "--rows", "50", "--repeat", "--split", "validation"); o.code != 0 {
		t.Errorf("%+v", o)
	}
}
