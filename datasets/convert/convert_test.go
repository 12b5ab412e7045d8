package convert

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"selfplay/datasets"
	"selfplay/datasets/making"
	"selfplay/datasets/output"
	"selfplay/datasets/plan"
	"selfplay/datasets/query"
	"selfplay/datasets/rows"
	"selfplay/datasets/shuffle"
	"selfplay/datasets/spill"
	"selfplay/datasets/tablefile"
	"selfplay/encode"
	"selfplay/internal/must"
	"selfplay/workers"
)

// newConversion returns a conversion of 9 random games of Contrast in 3 shards.
func newConversion(t *testing.T, form string) *Conversion {
	t.Helper()
	g := encode.Contrast()
	player := must.Get(workers.ParsePlayer(&g.Game, "random"))(t)
	pool := workers.Start(workers.Series{Game: g, Players: [2]workers.PlayerSpec{player, player}, Seed: 5, MaxPlies: 30}, 2)
	defer pool.Close()
	v := &Conversion{Shape: rows.New(g, "", 5, false)}
	plan := plan.Plan{Game: g.Name, Rules: g.Rules, Seed: 5, MaxPlies: 30, Actions: g.Actions.Version, ShardGames: 4, Validation: 334}
	v.Shape.Into(&plan)
	dir := filepath.Join(t.TempDir(), "set")
	must.Get(making.Make(t.Context(), dir, plan, 9, making.Options{Play: pool.Play, Rows: v.Shape.Rows(), Description: v.Shape.Description()}))(t)
	v.Dataset = must.Get(datasets.Open(dir))(t)
	v.Parts = must.Get(v.Dataset.Parts())(t)
	must.Do(t, v.SetForm(form))
	v.Query = &query.Query{Dataset: v.Dataset, Shape: v.Shape}
	v.Spec = tablefile.Spec{Source: v.Dataset, Shape: v.Shape}
	must.Do(t, v.Check())
	return v
}

// newOutput returns an output that is discarded after the test.
func newOutput(t *testing.T) *output.Output {
	t.Helper()
	o := must.Get(output.New(filepath.Join(t.TempDir(), "out"), false))(t)
	t.Cleanup(o.Discard)
	return o
}

// TestFilesJoinedAreTheStream: for rows and for games. All games are counted, and Done is
// called for every shard.
func TestFilesJoinedAreTheStream(t *testing.T) {
	for _, form := range []string{"jsonl", "moves"} {
		v, o := newConversion(t, form), newOutput(t)
		var mu sync.Mutex
		done := map[int]bool{}
		v.Done = func(shard int) { mu.Lock(); defer mu.Unlock(); done[shard] = true }
		files := must.Get(v.Files(t.Context(), o))(t)
		var joined []string
		for _, f := range slices.DeleteFunc(files, func(f *output.File) bool { return f.Split == "" }) {
			data := must.Get(os.ReadFile(o.Path(f.Name)))(t)
			joined = append(joined, strings.SplitAfter(string(data), "\n")...)
		}
		if games, plies := v.Counter.Progress(); games != 9 || plies == 0 || len(done) != 3 {
			t.Errorf("%s: %d games, %d plies, %d shards done", form, games, plies, len(done))
		}
		var stream strings.Builder
		must.Do(t, v.Stream(t.Context(), &stream))
		if form == "moves" { // the stream has the games in order
			slices.Sort(joined)
		}
		if stream.String() != strings.Join(joined, "") {
			t.Errorf("%s: the stream has %d bytes, the files %d", form, stream.Len(), len(strings.Join(joined, "")))
		}
	}
}

// TestShuffledFilesHaveTheRequestedRows: all rows of each split in files of FileRows rows.
func TestShuffledFilesHaveTheRequestedRows(t *testing.T) {
	v, o := newConversion(t, "csv"), newOutput(t)
	files := must.Get(v.Shuffled(t.Context(), o, Order{Seed: 1, FileRows: 50, Memory: shuffle.MinMemory}))(t)
	rows := map[string]uint64{}
	for i, f := range files {
		rows[f.Split] += f.Rows
		if f.Rows > 50 || f.Rows < 50 && f.Split != "" && files[i+1].Split == f.Split {
			t.Errorf("%s has %d rows", f.Name, f.Rows)
		}
	}
	for _, c := range v.Parts {
		rows[c.Split] -= c.Rows
	}
	if rows[plan.Train] != 0 || rows[plan.Validation] != 0 {
		t.Errorf("the numbers of rows differ by %v", rows)
	}
	must.Fail(v.Shuffled(t.Context(), newOutput(t), Order{FileRows: 50, Memory: 1}))(t, spill.ErrMemory, "")
}

// TestReplayFiltersRows: files, stream and shuffled files have the rows that the filter keeps.
func TestReplayFiltersRows(t *testing.T) {
	all, v, o := newConversion(t, "csv"), newConversion(t, "csv"), newOutput(t)
	shape := *v.Shape
	shape.Filter.Where = must.Get(shape.Game.ParseWhere("ply>=7", nil))(t)
	v.Replay, v.Spec.Filter = &shape, shape.Filter.Texts()
	var want []string
	var text strings.Builder
	must.Do(t, all.Stream(t.Context(), &text))
	for i, line := range strings.Split(strings.TrimSuffix(text.String(), "\n"), "\n") {
		if ply := strings.Split(line, ",")[1]; i == 0 || len(ply) > 1 || ply >= "7" {
			want = append(want, line)
		}
	}
	var got strings.Builder
	if err := v.Stream(t.Context(), &got); err != nil || got.String() != strings.Join(want, "\n")+"\n" {
		t.Errorf("%d bytes, want %d lines, %v", got.Len(), len(want), err)
	}
	files := must.Get(v.Files(t.Context(), o))(t)
	shuffled := must.Get(v.Shuffled(t.Context(), newOutput(t), Order{Seed: 1, FileRows: 50, Memory: shuffle.MinMemory}))(t)
	for _, list := range [][]*output.File{files, shuffled} {
		rows := uint64(0)
		for _, f := range list {
			rows += f.Rows
		}
		if rows != uint64(len(want)-1) {
			t.Errorf("%d rows, want %d", rows, len(want)-1)
		}
	}
}

func TestConversionRefusals(t *testing.T) {
	v := newConversion(t, "csv")
	must.Fail(v.SetForm("xlsx"))(t, nil, `unknown format "xlsx"`)
	must.Do(t, v.SetForm("pgn"))
	must.Fail(v.Check())(t, nil, "the game has no such notation")
	if v.Shape = nil; v.Check() == nil {
		t.Error("games of an unknown game are accepted")
	}
}
