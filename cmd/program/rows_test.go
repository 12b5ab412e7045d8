package program

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"selfplay/cmd/internal/human"
	"selfplay/datasets"
	"selfplay/encode"
)

// TestRowsAreInThePlan: whatever changes a row is in the plan, written in one way,
// and what changes none is not there.
func TestRowsAreInThePlan(t *testing.T) {
	for _, c := range []struct {
		flags string
		want  string // of plan.json
	}{
		{"", ``},
		{"--keep 1 --max-rows-per-game 0 --perspective board --skip= --columns=", ``},
		{"--skip capture,check,ply<08", `"filter":["skip=ply<8","skip=check","skip=capture"]`},
		{"--max-rows-per-game 030 --keep 0.10 --skip limit", `"filter":["skip=limit","keep=0.1","max-rows-per-game=30"]`},
		{"--keep 0.001", `"filter":["keep=0.001"]`},
		{"--perspective mover", `"perspective":"mover"`},
		{"--layout planes", `"perspective":"mover"`},
		{"--layout planes --perspective mover", `"perspective":"mover"`},
		{"--perspective mover --keep 0.5", `"perspective":"mover","filter":["keep=0.5"]`},
		{"--columns +hash,+legal", `"nodes","legal","hash"]`},
		{"--player greedy --columns +legal_actions", `"nodes","policy_action","policy_weight","legal_actions"]`},
	} {
		out := filepath.Join(t.TempDir(), "out")
		must(t, strings.Fields("run --quiet --game chess --games 2 --max-plies 20 --out "+out+" "+c.flags)...)
		data, err := os.ReadFile(filepath.Join(out, "plan.json"))
		if err != nil {
			t.Fatal(err)
		}
		var file struct{ Plan json.RawMessage }
		if err := json.Unmarshal(data, &file); err != nil {
			t.Fatal(err)
		}
		plan := strings.NewReplacer("\n", "", " ", "").Replace(string(file.Plan))
		if c.want == "" && (strings.Contains(plan, "filter") || strings.Contains(plan, "perspective")) || !strings.Contains(plan, c.want) {
			t.Errorf("%q: the plan is %s, want %s", c.flags, plan, c.want)
		}
	}
}

// TestFilterKeepsAllGames: a filter drops rows, not games. The counts of plan, manifest
// and summary add up.
func TestFilterKeepsAllGames(t *testing.T) {
	for _, game := range encode.Games() {
		dir := t.TempDir()
		run := func(name, flags string) (*datasets.Dataset, string) {
			out := filepath.Join(dir, name)
			text := must(t, strings.Fields("run --game "+game.Name+" --games 12 --shard-games 5 --max-plies 80 --out "+out+" "+flags)...)
			ds, err := datasets.Open(out)
			if err != nil {
				t.Fatal(err)
			}
			return ds, text
		}
		plain, _ := run("plain", "")
		some, text := run("some", "--skip ply<6,check,capture --keep 0.5 --max-rows-per-game 10")
		all, err := plain.Info()
		if err != nil {
			t.Fatal(err)
		}
		left, err := some.Info()
		if err != nil {
			t.Fatal(err)
		}
		sum := left.Rows
		for _, d := range left.Dropped {
			sum += d.Rows
			if want := fmt.Sprintf("%s, %s\n", human.Count(d.Rows, "row"), d.Filter); !strings.Contains(text, want) {
				t.Errorf("%s: the summary does not say %q:\n%s", game.Name, want, text)
			}
		}
		if sum != all.Rows || len(left.Dropped) != 5 || left.Rows > 120 {
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
	commits, err := ds.Commits()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range commits {
		for r, err := range ds.Games(c) {
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, r.Actions...)
		}
	}
	return list
}

// TestFilteredRunResumes also with shards that have no rows.
func TestFilteredRunResumes(t *testing.T) {
	dir := t.TempDir()
	for _, flags := range []string{"--skip ply<60 --keep 0.05", "--skip ply<60000 --format arrow", "--max-rows-per-game 1 --perspective mover --format arrow"} {
		run := func(out string, games int) map[string]string {
			out = filepath.Join(dir, flags, out)
			must(t, append(strings.Fields("run --game chess --shard-games 3 "+flags), "--games", fmt.Sprint(games), "--out", out)...)
			return tree(t, out)
		}
		want := run("at once", 20)
		run("bit by bit", 2)
		run("bit by bit", 9)
		mustEqual(t, run("bit by bit", 20), want)
	}
}

// TestPerspectiveFlipsOnlyTheSecondSide: rows of the side that moves first stay the same.
func TestPerspectiveFlipsOnlyTheSecondSide(t *testing.T) {
	for _, game := range encode.Games() {
		dir := t.TempDir()
		var heads []*encode.Table
		for i, perspective := range []string{"board", "mover"} {
			out := filepath.Join(dir, fmt.Sprint(i))
			must(t, strings.Fields("run --game "+game.Name+" --games 2 --max-plies 60 --columns +legal_actions --out "+out+" --perspective "+perspective)...)
			ds, err := datasets.Open(out)
			if err != nil {
				t.Fatal(err)
			}
			head, err := ds.Head(100)
			if err != nil {
				t.Fatal(err)
			}
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
