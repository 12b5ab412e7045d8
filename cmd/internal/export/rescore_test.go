package export

import (
	"path/filepath"
	"strings"
	"testing"

	"selfplay/datasets/plan"
	"selfplay/encode"
)

// TestRescore: the same games with scores, a report of what changed, and a dataset that every
// command takes.
func TestRescore(t *testing.T) {
	for _, game := range encode.Games() {
		dir, out := datasetOf(t, game, &game.Layouts[0], plan.List), filepath.Join(t.TempDir(), "out")
		c := object[comparison](t, "rescore", "--json", "--player", "ab:depth=1,multi=2,net=none", "--out", out, dir)
		if c.Games != 12 || c.Plies == 0 || c.Rescored != c.Plies || c.Compared != 0 || c.Before != nil {
			t.Errorf("%s: %+v", game.Name, c)
		}
		moves := func(dir string) string {
			text := mustRun(t, "convert", "--quiet", "--format", "moves", "--out", "-", dir)
			var list []string
			for line := range strings.Lines(text) {
				line, _, _ = strings.Cut(line, `,"scores"`)
				list = append(list, strings.TrimSuffix(strings.TrimSpace(line), "}"))
			}
			return strings.Join(list, "\n")
		}
		if a, b := moves(dir), moves(out); a != b || a == "" {
			t.Errorf("%s: the games differ", game.Name)
		}
		if text := string(read(t, filepath.Join(out, "README.md"))); !strings.Contains(text, "are of a later search: `ab:depth=1,multi=2,net=none v1 where=all`") {
			t.Errorf("%s: the card does not name the player", game.Name)
		}
		for _, args := range [][]string{{"verify", "--deep"}, {"stats"}, {"head"}} {
			mustRun(t, append(args, out)...)
		}
		mustRefuse(t, export("verify", "--quiet", "--regenerate", out), 2, "its games come from other datasets")
	}
}

// TestRescoreComparesWithTheOldScores: by the same player nothing changes; by a better one the
// report says what.
func TestRescoreComparesWithTheOldScores(t *testing.T) {
	game, dir := encode.Games()[2], t.TempDir() // whose random games end
	first, same, better := filepath.Join(dir, "first"), filepath.Join(dir, "same"), filepath.Join(dir, "better")
	if o := export("rescore", "--quiet", "--player", "ab:depth=1", "--out", first, datasetOf(t, game, &game.Layouts[0], plan.List)); o.code != 0 || o.stdout != "" {
		t.Fatalf("%+v", o)
	}
	c := object[comparison](t, "rescore", "--json", "--player", "ab:depth=1", "--out", same, first)
	if c.MeanShift != 0 || c.MeanAbsolute != 0 || c.BestAgreement != 1 ||
		c.Compared != c.Plies || c.Before == nil || *c.Before != *c.After {
		t.Errorf("the same player: %+v", c)
	}
	o := export("rescore", "--player", "ab:depth=2", "--where", "surprise>10", "--model", "130,364", "--keep-old", "--out", better, first)
	type row struct {
		Score, Nodes  int
		BestAction    int `json:"best_action"`
		OldScore      int `json:"old_score"`
		OldBestAction int `json:"old_best_action"`
		OldNodes      int `json:"old_nodes"`
	}
	rowsOf := func(dir string) []row {
		return objects[row](t, "convert", "--quiet", "--format", "jsonl", "--out", "-", dir)
	}
	changed, before := 0, rowsOf(first)
	for i, r := range rowsOf(better) {
		if b := before[i]; r.OldScore != b.Score || r.OldBestAction != b.BestAction || r.OldNodes != b.Nodes {
			t.Fatalf("row %d keeps %+v of %+v", i, r, b)
		}
		if r.Nodes != r.OldNodes {
			changed++
		}
	}
	if changed == 0 {
		t.Error("no row has changed")
	}
	flipped := filepath.Join(dir, "flipped")
	for _, args := range [][]string{{"verify", "--deep", better}, {"rows", "--perspective", "mover", "--out", flipped, better}, {"verify", "--deep", flipped}} {
		mustRun(t, args...)
	}
	for _, want := range []string{"rescored  ", "of which ", "shift  ", "best move  the same in ", "before  ", "after  ", "AUC 0."} {
		if o.code != 0 || !strings.Contains(o.stdout, want) {
			t.Errorf("the report has no %q: %+v", want, o)
		}
	}
}
