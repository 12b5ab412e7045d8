package program

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"selfplay/cmd/internal/human"
	"selfplay/datasets"
	"selfplay/datasets/disk"
	"selfplay/datasets/plan"
	"selfplay/datasets/query"
	"selfplay/encode"
	"selfplay/internal/must"
)

func TestDryRun(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	args := []string{"run", "--game", "cotulenh", "--player", "random", "--games", "3000", "--out", out}
	text := mustRun(t, append(args, "--dry-run")...)
	if !strings.HasPrefix(text, "plan ") || strings.Contains(text, "{") {
		t.Errorf("the estimate is not first, or the plan follows unasked:\n%s", text)
	}
	for _, want := range []string{"3,000 in 3 shards of 1,000", "rows ", "time ", "disk ", "memory ", " ± ", "± is a 95 % interval", "nothing was kept"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("something was written")
	}
	mustRun(t, "run", "--quiet", "--game", "cotulenh", "--player", "random", "--games", "1", "--out", out)
	ds, err := datasets.Open(out)
	if err != nil || !strings.Contains(text, ds.PlanHash()) {
		t.Errorf("the plan is another one: %v", err)
	}
	mustRefuse(t, selfplay("", append(args, "--dry-run", "--seed", "2")...), 5, "--seed: 1 there, 2 here")
}

// TestDryRunPrintsThePlanOnRequest after the estimate, says on stderr that it plays, and what a
// decision costs: more than the nodes that the player was given.
func TestDryRunPrintsThePlanOnRequest(t *testing.T) {
	args := []string{"run", "--game", "cotulenh", "--games", "2", "--max-plies", "12", "--player", "ab:nodes=100", "--dry-run", "--out", filepath.Join(t.TempDir(), "out")}
	o := selfplay("", append(args, "--plan")...)
	estimate, plan, _ := strings.Cut(o.stdout, "\n\n")
	if o.code != 0 || !strings.Contains(estimate, "\nsearches ") || !strings.HasPrefix(plan, "{\n") || !strings.Contains(o.stderr, "msg=start games=2 why=--dry-run") {
		t.Errorf("exit code %d, stderr %s, stdout\n%s", o.code, o.stderr, o.stdout)
	}
	if s := mustParse[estimateSummary](t, mustRun(t, append(args, "--json")...)); s.Nodes <= 100 || s.Plan.Game == "" {
		t.Errorf("%+v", s)
	}
	for flag, want := range map[string]string{"--plan": "flag --plan: want --dry-run with it", "--cores=2": "flag --cores: want --dry-run with it",
		"--dry-run --cores=0": "cores 0: want 1 to 4096"} {
		mustRefuse(t, selfplay("", append([]string{"run", "--game", "chess", "--player", "random", "--games", "2", "--out", "x"}, strings.Fields(flag)...)...), 2, want)
	}
}

func TestDryRunCountsTranspositionTables(t *testing.T) {
	j := jobOf(t, "--game contrast --games 4 --max-plies 12 --player ab:depth=1,hash=16 --workers 2")
	e := estimate{runJob: j, plan: j.plan, games: j.games}
	if err := e.try(t.Context(), silentMeter()); err != nil || e.players < 60<<20 || e.players > 80<<20 {
		t.Errorf("four tables of 16 MiB take %s, %v", human.Size(e.players), err)
	}
}

func TestSpaceWarning(t *testing.T) {
	dir := t.TempDir()
	if _, _, ok := disk.Space(dir); !ok {
		t.Skip("the free space of disks is unknown on this system")
	}
	for bytes, want := range map[float64]bool{0: false, 1e21: true} {
		for _, out := range []string{dir, filepath.Join(dir, "to", "be", "made")} {
			if text := spaceWarning(out, bytes); strings.HasPrefix(text, ", more than the ") != want || !want && text != "" {
				t.Errorf("%g bytes in %s: %q", bytes, out, text)
			}
		}
	}
}

func TestRanges(t *testing.T) {
	if got := ranges([]int{0, 1, 2, 5, 7, 8}); got != "0-2, 5, 7-8" {
		t.Error(got)
	}
}

// runShort makes or extends a dataset of very short games.
func runShort(t *testing.T, out string, games, shardGames int, more ...string) {
	t.Helper()
	args := fmt.Sprintf("run --quiet --game contrast --player random --max-plies 2 --check light --games %d --shard-games %d --out %s", games, shardGames, out)
	mustRun(t, append(strings.Fields(args), more...)...)
}

// splitOf returns the split of each game of a dataset, by what its files have.
func splitOf(t *testing.T, dir string) map[uint64]string {
	t.Helper()
	ds, splits := must.Get(datasets.Open(dir))(t), map[uint64]string{}
	for _, part := range must.Get(ds.Parts())(t) {
		for r, err := range ds.Games(part) {
			must.Do(t, err)
			if splits[r.Game] != "" {
				t.Fatalf("%s: game %d is in two files", dir, r.Game)
			}
			splits[r.Game] = part.Split
		}
	}
	return splits
}

// validationGames returns the games of the validation split, in order.
func validationGames(splits map[uint64]string) (list []uint64) {
	for game, split := range splits {
		if split == plan.Validation {
			list = append(list, game)
		}
	}
	slices.Sort(list)
	return list
}

// TestTheSplitIsTheOneAskedFor: for any number of games and size of shards, in one run, after an extension
// and by tasks, the same games are for validation.
func TestTheSplitIsTheOneAskedFor(t *testing.T) {
	dir := t.TempDir()
	want := map[int][]uint64{}
	counts := []int{200, 1000, 2000}
	if !testing.Short() {
		counts = append(counts, 5000)
	}
	for _, games := range counts {
		for _, shard := range []int{100, 1000} {
			out := filepath.Join(dir, fmt.Sprint(games, "-", shard))
			runShort(t, out, games, shard)
			got := validationGames(splitOf(t, out))
			if want[games] == nil {
				want[games] = got
			}
			if len(got) != games/20 || !slices.Equal(got, want[games]) {
				t.Errorf("%d games in shards of %d: %d are for validation, want %d, the same for every size", games, shard, len(got), games/20)
			}
			if shard == 1000 {
				continue
			}
			runShort(t, out, 2*games, shard)
			if got := validationGames(splitOf(t, out)); len(got) != games/10 || !slices.Equal(got[:games/20], want[games]) {
				t.Errorf("%d games, extended: %d are for validation", games, len(got))
			}
		}
	}
	tasks := filepath.Join(dir, "tasks")
	for i := range 4 {
		runShort(t, tasks, 2000, 100, "--task-index", fmt.Sprint(i), "--task-count", "4")
	}
	mustRun(t, "finalize", tasks)
	if got := validationGames(splitOf(t, tasks)); !slices.Equal(got, want[2000]) {
		t.Errorf("four tasks: %d games are for validation", len(got))
	}
}

// joined numbers the games of two datasets consecutively.
func joined(a, b map[uint64]string) map[uint64]string {
	all := maps.Clone(a)
	for game, split := range b {
		all[uint64(len(a))+game] = split
	}
	return all
}

// TestGamesKeepTheirSplit: in rows, dedup and shuffle; and a share that is asked for draws another one.
func TestGamesKeepTheirSplit(t *testing.T) {
	dir := t.TempDir()
	a, b := filepath.Join(dir, "a"), filepath.Join(dir, "b")
	runShort(t, a, 300, 100)
	runShort(t, b, 200, 50, "--seed", "2", "--validation", "0.3")
	for name, c := range map[string]struct {
		args []string
		want map[uint64]string
	}{
		"rows":                {[]string{"rows", "--layout", "planes", a}, splitOf(t, a)},
		"dedup of one":        {[]string{"dedup", b}, splitOf(t, b)},
		"dedup of two":        {[]string{"dedup", b, a}, joined(splitOf(t, b), splitOf(t, a))},
		"rows, another share": {[]string{"rows", "--validation", "0.5", a}, nil},
	} {
		out := filepath.Join(dir, strings.ReplaceAll(name, " ", "-"))
		mustRun(t, slices.Concat([]string{c.args[0], "--quiet", "--out", out}, c.args[1:])...)
		mustRun(t, "verify", "--deep", out)
		got := splitOf(t, out)
		if c.want == nil {
			if n := len(validationGames(got)); n != 150 {
				t.Errorf("%s: %d games are for validation, want 150", name, n)
			}
			continue
		}
		if asJSON(t, got) != asJSON(t, c.want) {
			t.Errorf("%s: other splits", name)
		}
	}
}

// TestShuffledRowsKeepTheirSplit: and come all.
func TestShuffledRowsKeepTheirSplit(t *testing.T) {
	dir := t.TempDir()
	set, out := filepath.Join(dir, "set"), filepath.Join(dir, "out")
	runShort(t, set, 300, 100)
	mustRun(t, "shuffle", "--quiet", "--format", "csv", "--out", out, set)
	splits, rows := splitOf(t, set), 0
	for _, split := range []string{plan.Train, plan.Validation} {
		lines := strings.Split(strings.TrimSpace(string(must.Get(os.ReadFile(filepath.Join(out, split+"-00000.csv")))(t))), "\n")
		for _, line := range lines[1:] {
			number, _, _ := strings.Cut(line, ",")
			if game := must.Get(strconv.ParseUint(number, 10, 64))(t); splits[game] != split {
				t.Errorf("a row of game %d in %s", game, split)
			}
			rows++
		}
	}
	if rows != 600 {
		t.Errorf("%d rows, want 600", rows)
	}
}

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
