package export

import (
	"path/filepath"
	"strings"
	"testing"

	"selfplay/datasets"
	"selfplay/datasets/plan"
	"selfplay/encode"
)

// labels is what value targets depend on.
type labels struct {
	Game, Ply, Outcome int
	ValueTarget        int `json:"value_target"`
}

// labelsOf returns the labels of all rows of a dataset.
func labelsOf(t *testing.T, dir string) []labels {
	t.Helper()
	return objects[labels](t, "convert", "--quiet", "--format", "jsonl", "--out", "-", dir)
}

// TestRescoreDeblunders: random games have blunders; outcomes stay in their column, the end of a
// game has its outcome as the target, and the report counts what differs.
func TestRescoreDeblunders(t *testing.T) {
	for _, game := range encode.Games() {
		dir, out := datasetOf(t, game, &game.Layouts[0], plan.List), filepath.Join(t.TempDir(), "out")
		c := object[comparison](t, "rescore", "--json", "--player", "ab:depth=1", "--deblunder", "5", "--new-model", "130,364", "--out", out, dir)
		before, differ, games := labelsOf(t, dir), 0, map[int]bool{}
		for i, l := range labelsOf(t, out) {
			if b := before[i]; b.Game != l.Game || b.Ply != l.Ply || b.Outcome != l.Outcome {
				t.Fatalf("%s: row %d is %+v, was %+v", game.Name, i, l, b)
			}
			if l.ValueTarget != 10000*l.Outcome {
				differ, games[l.Game] = differ+1, true
			}
		}
		if differ == 0 || c.Deblundered != uint64(differ) || c.DeblunderedGames != uint64(len(games)) {
			t.Errorf("%s: %d value targets of %d games differ, the report says %+v", game.Name, differ, len(games), c)
		}
		if text := string(read(t, filepath.Join(out, "README.md"))); !strings.Contains(text, "(`5 by a=130 b=364`, the model of scores)") || !strings.Contains(text, "| value_target | int16 |") {
			t.Errorf("%s: the card does not explain the column", game.Name)
		}
		records := filepath.Join(t.TempDir(), "records")
		for _, args := range [][]string{{"verify", "--deep", out}, {"dedup", "--out", filepath.Join(t.TempDir(), "unique"), out},
			{"convert", "--format", "records", "--fields", "board,outcome,value_target", "--out", records, out}} {
			mustRun(t, args...)
		}
		if text := string(read(t, filepath.Join(records, "dtype.json"))); !strings.Contains(text, `"name":"value_target","type":"<i2"`) {
			t.Errorf("%s: dtype.json has no value_target: %s", game.Name, text)
		}
	}
}

// TestRowsDeblunder: by the scores that the dataset has. The result is that of rescore with the
// same scores; 0 removes the column, and rows keep it otherwise.
func TestRowsDeblunder(t *testing.T) {
	game, dir := encode.Games()[2], t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	scored := "rescore --quiet --player ab:depth=1 --out "
	for _, line := range []string{
		scored + in("scored") + " " + datasetOf(t, game, &game.Layouts[0], plan.List),
		scored + in("together") + " --deblunder 5 --new-model 130,364 " + in("scored"),
		"rows --quiet --deblunder 5 --model 130,364 --out " + in("later") + " " + in("scored"),
		"rows --quiet --board-type packed --out " + in("packed") + " " + in("later"),
		"rows --quiet --deblunder 0 --out " + in("without") + " " + in("later"),
		scored + in("again") + " " + in("later"), // whose scores are others
	} {
		mustRun(t, strings.Fields(line)...)
	}
	want := labelsOf(t, in("together"))
	for _, name := range []string{"later", "packed"} {
		for i, l := range labelsOf(t, in(name)) {
			if l != want[i] {
				t.Fatalf("%s: row %d is %+v, want %+v", name, i, l, want[i])
			}
		}
	}
	if a, b := read(t, in("without")+"/manifest.json"), read(t, in("scored")+"/manifest.json"); string(a) != string(b) {
		t.Error("the dataset without value targets differs from the one that never had them")
	}
	if ds, err := datasets.Open(in("again")); err != nil || ds.Plan().Deblunder != "" {
		t.Errorf("rescored without --deblunder: %v, plan %+v", err, ds.Plan())
	}
}
