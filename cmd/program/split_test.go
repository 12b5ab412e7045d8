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

	"selfplay/datasets"
	"selfplay/datasets/plan"
	"selfplay/internal/must"
)

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
		counts = append(counts, 10_000)
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
		mustRun(t, slices.Concat([]string{"export", c.args[0], "--quiet", "--out", out}, c.args[1:])...)
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
	mustRun(t, "export", "shuffle", "--quiet", "--format", "csv", "--out", out, set)
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
