package program

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"selfplay/cmd/internal/human"
	"selfplay/datasets"
	"selfplay/datasets/query"
	"selfplay/encode"
	"selfplay/internal/must"
)

// TestFilterKeepsAllGames: a filter drops rows, not games. The counts of plan, manifest
// and summary add up.
func TestFilterKeepsAllGames(t *testing.T) {
	for _, game := range encode.Games() {
		dir := t.TempDir()
		run := func(name, flags string) (*datasets.Dataset, string) {
			out := filepath.Join(dir, name)
			text := mustRun(t, strings.Fields("run --player random --game "+game.Name+" --games 12 --shard-games 5 --max-plies 80 --out "+out+" "+flags)...)
			ds := must.Get(datasets.Open(out))(t)
			return ds, text
		}
		plain, _ := run("plain", "")
		some, text := run("some", "--where ply>=6,!check,!capture,ply<70,phase=middle|end --keep 0.5 --max-rows-per-game 10")
		all := must.Get(plain.Info())(t)
		left := must.Get(some.Info())(t)
		sum := left.Rows
		for _, d := range left.Dropped {
			sum += d.Rows
			if want := fmt.Sprintf("%s, %s\n", human.Count(d.Rows, "row"), d.Filter); !strings.Contains(text, want) {
				t.Errorf("%s: the summary does not say %q:\n%s", game.Name, want, text)
			}
		}
		if sum != all.Rows || len(left.Dropped) != 7 || left.Rows > 120 {
			t.Errorf("%s: %d rows and %v dropped, of %d", game.Name, left.Rows, left.Dropped, all.Rows)
		}
		if !slices.Equal(actions(t, plain), actions(t, some)) {
			t.Errorf("%s: other games were played", game.Name)
		}
	}
}

// actions returns all actions of the games table.
func actions(t *testing.T, ds *datasets.Dataset) (list []uint16) {
	t.Helper()
	commits := must.Get(ds.Commits())(t)
	for _, c := range commits {
		for r, err := range ds.Games(c.Parts()...) {
			must.Do(t, err)
			list = append(list, r.Actions...)
		}
	}
	return list
}

// TestPerspectiveFlipsOnlyTheSecondSide: rows of side 0 stay the same.
func TestPerspectiveFlipsOnlyTheSecondSide(t *testing.T) {
	for _, game := range encode.Games() {
		dir := t.TempDir()
		var heads []*encode.Table
		for i, perspective := range []string{"board", "mover"} {
			out := filepath.Join(dir, fmt.Sprint(i))
			mustRun(t, strings.Fields("run --player random --game "+game.Name+" --games 2 --max-plies 60 --columns +legal_actions --out "+out+" --perspective "+perspective)...)
			ds := must.Get(datasets.Open(out))(t)
			head := must.Get((&query.Query{Dataset: ds}).Head(t.Context(), 100))(t)
			heads = append(heads, head)
		}
		plain, seen := heads[0], heads[1]
		flipped := map[string]int{}
		for col, c := range plain.Columns {
			for row := range plain.Rows {
				if same := slices.Equal(plain.Cell(col, row), seen.Cell(col, row)); !same && plain.Cell(2, row)[0] == 0 {
					t.Fatalf("%s: row %d: %s is flipped, and the first side moves", game.Name, row, c.Name)
				} else if !same {
					flipped[c.Name]++
				}
			}
		}
		if game.Actions.Flip(0) == 0 { // actions that do not flip, as where pieces are placed on a symmetric board
			if len(flipped) != 1 || flipped["board"] == 0 {
				t.Errorf("%s: flipped %v", game.Name, flipped)
			}
			continue
		}
		if len(flipped) != 4 || flipped["board"] == 0 || flipped["action"] == 0 || flipped["best_action"] != flipped["action"] || flipped["legal_actions"] == 0 {
			t.Errorf("%s: flipped %v", game.Name, flipped)
		}
	}
}
