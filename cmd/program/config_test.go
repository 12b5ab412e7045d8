package program

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"selfplay/cmd/internal/human"
	"selfplay/datasets"
	"selfplay/datasets/disk"
)

// planIn returns the plan of a dataset.
func planIn(t *testing.T, dir string) datasets.Plan {
	t.Helper()
	ds, err := datasets.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	return ds.Plan()
}

// TestPrecedenceOfFlags: command line, environment, file, preset.
func TestPrecedenceOfFlags(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "run.yaml")
	os.WriteFile(file, []byte("# nightly\ngame: chess\ngames: 4\nseed: 5\nshard-games: 2\nmax-plies: 30\nvalidation: '0.5'\nskip: ply<9\n"), 0o644)
	t.Setenv("SELFPLAY_SEED", "6")
	t.Setenv("SELFPLAY_MAX_PLIES", "20")
	out := filepath.Join(dir, "out")
	must(t, "run", "--quiet", "--config", file, "--max-plies", "12", "--preset", "bulk", "--player", "random", "--out", out)
	p := planIn(t, out)
	if p.Seed != 6 || p.MaxPlies != 12 || p.ShardGames != 2 || p.Validation != 500 || len(p.Filter) != 1 || p.Filter[0] != "skip=ply<9" {
		t.Errorf("%+v", p)
	}
	t.Setenv("SELFPLAY_CONFIG", file)
	t.Setenv("SELFPLAY_OUT", filepath.Join(dir, "by environment"))
	must(t, "run", "--quiet")
	if p := planIn(t, filepath.Join(dir, "by environment")); p.Seed != 6 || p.MaxPlies != 20 {
		t.Errorf("%+v", p)
	}
}

// TestPlayersFromSeveralSources: --player and the flag of one side exclude each other only
// if both come from the same source.
func TestPlayersFromSeveralSources(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "run.yaml")
	const refused = "exclude each other"
	for i, c := range []struct{ flags, environment, file, want string }{
		{"--player-first greedy", "", "player: ab:depth=1", "greedy ab:depth=1"},
		{"--player-first greedy", "player=ab:depth=1", "", "greedy ab:depth=1"},
		{"--player greedy", "", "player-second: ab:depth=1", "greedy greedy"},
		{"--player greedy", "player-second=ab:depth=1", "", "greedy greedy"},
		{"", "player-first=greedy", "player: ab:depth=1", "greedy ab:depth=1"},
		{"", "player=greedy", "player-first: ab:depth=1", "greedy greedy"},
		{"--player greedy --player-first random", "player=ab:depth=1", "", refused},
		{"", "", "player: greedy\nplayer-first: random", refused},
	} {
		t.Run(c.flags+" "+c.environment+" "+c.file, func(t *testing.T) {
			os.WriteFile(file, []byte(c.file), 0o644)
			if name, player, ok := strings.Cut(c.environment, "="); ok {
				t.Setenv(variableOf(name), player)
			}
			out := filepath.Join(dir, fmt.Sprint(i))
			args := []string{"run", "--quiet", "--game", "contrast", "--games", "1", "--max-plies", "12", "--config", file, "--out", out}
			args = append(args, strings.Fields(c.flags)...)
			if c.want == refused {
				mustRefuse(t, selfplay("", args...), 2, refused)
				return
			}
			must(t, args...)
			p := planIn(t, out).Players
			if got := p[0].Spec + " " + p[1].Spec; got != c.want {
				t.Errorf("%s play, want %s", got, c.want)
			}
		})
	}
}

// TestNumbersInFilesAreDecimal: 010 is ten in YAML, and a title stays as it is.
func TestNumbersInFilesAreDecimal(t *testing.T) {
	dir := t.TempDir()
	file, out := filepath.Join(dir, "run.yaml"), filepath.Join(dir, "out")
	os.WriteFile(file, []byte("game: contrast\ngames: 010\nshard-games: 08\nmax-plies: 012\ntitle: 007\n"), 0o644)
	must(t, "run", "--quiet", "--config", file, "--out", out)
	ds, err := datasets.Open(out)
	if err != nil {
		t.Fatal(err)
	}
	info, err := ds.Info()
	if p := ds.Plan(); err != nil || info.Games != 10 || p.ShardGames != 8 || p.MaxPlies != 12 || ds.About().Title != "007" {
		t.Errorf("%v: %d games, title %q, %+v", err, info.Games, ds.About().Title, p)
	}
}

func TestConfigRefusals(t *testing.T) {
	dir := t.TempDir()
	file, out := filepath.Join(dir, "run.yaml"), filepath.Join(dir, "out")
	for _, c := range []struct{ text, want string }{
		{"game: chess\nspeed: 9\n", `run.yaml line 2: unknown key "speed"`},
		{"game: chess\n\ngames: many\n", "run.yaml line 3: invalid value \"many\" of games: want a whole number such as 4000, 10k, 1M or 1e6"},
		{"games: 4\ngames: 5\n", "line 2: games is set twice"},
		{"games: [4]\n", "line 1: games: want one plain value"},
		{"games:\n", "line 1: games: want one plain value"},
		{"- games\n", "line 1: want names and values"},
		{"games\n", "line 1: want names and values"},
		{"games: 4\n---\ngames: 5\n", "want one document"},
		{"task-index: 1\n", `line 1: "task-index" cannot be set in a file`},
		{"config: other\n", `line 1: "config" cannot be set in a file`},
		{"a: b: c\n", "mapping values are not allowed"},
		{"", "flags --game and --games are missing"},
		{"game: chess\n", "flag --games is missing"},
	} {
		os.WriteFile(file, []byte(c.text), 0o644)
		mustRefuse(t, selfplay("", "run", "--config", file, "--out", out), 2, c.want)
	}
	mustRefuse(t, selfplay("", "run", "--config", filepath.Join(dir, "none"), "--out", out), 2, "read config: open ")
	t.Setenv("SELFPLAY_GAMES", "many")
	mustRefuse(t, selfplay("", "run", "--game", "chess", "--out", out), 2, `invalid value "many" of SELFPLAY_GAMES: want a whole number such as 4000, 10k, 1M or 1e6`)
	t.Setenv("SELFPLAY_GAMES", "4")
	for flag, want := range map[string]string{"stop-after=8": "want a duration such as 8h, 90m or 25s", "workers=two": "want a whole number", "seed=-1": "want a whole number, 0 or more"} {
		mustRefuse(t, selfplay("", "run", "--game", "chess", "--out", out, "--"+flag), 2, "for flag --"+strings.Split(flag, "=")[0]+": "+want)
	}
	t.Setenv("SELFPLAY_GAMS", "4")
	mustRefuse(t, selfplay("", "run", "--game", "chess", "--out", out), 2, "unknown variable SELFPLAY_GAMS: want SELFPLAY_ and the name of a flag of run")
	if _, err := os.Stat(out); err == nil {
		t.Error("something was written")
	}
}

func TestDryRun(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	args := []string{"run", "--game", "cotulenh", "--games", "3000", "--out", out}
	text := must(t, append(args, "--dry-run")...)
	for _, want := range []string{`"game": "cotulenh"`, "3,000 in 3 shards of 1,000", "rows ", "time ", "disk ", "memory ", " ± ", "± is a 95 % interval", "nothing was written"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("something was written")
	}
	must(t, "run", "--quiet", "--game", "cotulenh", "--games", "1", "--out", out)
	ds, err := datasets.Open(out)
	if err != nil || !strings.Contains(text, ds.PlanHash()) {
		t.Errorf("the plan is another one: %v", err)
	}
	mustRefuse(t, selfplay("", append(args, "--dry-run", "--seed", "2")...), 5, "seed is 1, not 2")
}

func TestDryRunCoversOnlyTheMissingGames(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	args := []string{"run", "--quiet", "--game", "contrast", "--shard-games", "4", "--max-plies", "8", "--out", out, "--games"}
	must(t, append(args, "10")...) // two shards, and two games of a third
	for _, c := range []struct{ flags, want string }{
		{"10", "games  none: the dataset has all games of this command"},
		{"6", "games  none: the dataset has all games of this command"},
		{"11", "games   3 in 1 shard of 4"},
		{"20", "games   12 in 3 shards of 4"},
		{"24 --task-count 3 --task-index 2", "games   8 in 2 shards of 4"},
		{"24 --task-count 6 --task-index 1", "games  none: the dataset has all games of this command"},
	} {
		text := must(t, append(append(args, strings.Fields(c.flags)...), "--dry-run")...)
		if !strings.Contains(text, c.want) {
			t.Errorf("%s: no %q in\n%s", c.flags, c.want, text)
		}
	}
}

func TestDryRunCountsTranspositionTables(t *testing.T) {
	j := jobOf(t, "--game contrast --games 4 --max-plies 12 --player ab:depth=1,hash=16 --workers 2")
	e := estimate{job: j, games: j.games}
	if err := e.try(t.Context()); err != nil || e.players < 60<<20 || e.players > 80<<20 {
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

func TestTaskFlags(t *testing.T) {
	for _, name := range indexVariables {
		t.Setenv(name, "")
	}
	dir := t.TempDir()
	base := []string{"run", "--quiet", "--game", "contrast", "--games", "6", "--shard-games", "2", "--out", filepath.Join(dir, "out")}
	with := func(flags string) outcome { return selfplay("", append(base, strings.Fields(flags)...)...) }
	for flags, want := range map[string]string{
		"--task-index 1":                          "flag --task-index needs --task-count",
		"--task-count 3":                          "flag --task-index is missing, and so are JOB_COMPLETION_INDEX, SLURM_ARRAY_TASK_ID",
		"--task-count 0":                          "task-count 0: want 1 to 100000",
		"--task-count 3 --task-index 3":           "task-index 3: want 0 to 2",
		"--task-count 3 --task-index -1":          "task-index -1: want 0 to 2",
		"--task-count 3 --task-index 1 --games 5": "games 5: tasks make whole shards, want a multiple of 2",
		"--task-count many":                       `invalid value "many" for flag --task-count`,
		"--grace -1s":                             "grace -1s: want 0 or more",
		"--stop-after 0s":                         "stop-after 0s: want more than 0",
		"--stop-after 8":                          `invalid value "8" for flag --stop-after`,
		"--min-free lots":                         `min-free "lots": want bytes with a unit, such as 500MB or 5GiB, or 0`,
		"--min-free -1":                           `min-free "-1": want bytes`,
		"--min-free 5000000":                      `min-free "5000000": want bytes with a unit`,
	} {
		mustRefuse(t, with(flags), 2, want)
	}
	t.Setenv("SLURM_ARRAY_TASK_ID", "8")
	mustRefuse(t, with("--task-count 8"), 2, "SLURM_ARRAY_TASK_ID 8: want 0 to 7")
	t.Setenv("SLURM_ARRAY_TASK_ID", "first")
	mustRefuse(t, with("--task-count 8"), 2, `SLURM_ARRAY_TASK_ID "first": want a number`)
	if _, err := os.Stat(filepath.Join(dir, "out")); err == nil {
		t.Fatal("something was written")
	}
	whole := filepath.Join(dir, "whole")
	must(t, append(base[:len(base)-1:len(base)-1], whole)...)
	out := base[len(base)-1]
	t.Setenv("SLURM_ARRAY_TASK_ID", "")
	for _, index := range []string{"0", "2"} {
		t.Setenv("AWS_BATCH_JOB_ARRAY_INDEX", index)
		if o := with("--task-count 3 --min-free 1kB --quiet=false"); o.code != 0 || !strings.Contains(o.stdout, "when all 3 tasks are done: selfplay finalize "+out) ||
			strings.Contains(o.stderr, "WARN") {
			t.Fatal(o)
		}
	}
	single := selfplay("", "run", "--game", "contrast", "--games", "2", "--max-plies", "8", "--out", filepath.Join(dir, "single"))
	if single.code != 0 || !strings.Contains(single.stderr, "level=WARN") || !strings.Contains(single.stderr, "variable=AWS_BATCH_JOB_ARRAY_INDEX index=2") {
		t.Errorf("no warning about a task index without --task-count: %+v", single)
	}
	mustRefuse(t, selfplay("", "finalize", out), 3, "finalize "+out+": stopped before the target: missing shards, by number: 1")
	if o := with("--task-count 3 --task-index 1"); o.code != 0 { // the flag outranks the variables
		t.Fatal(o)
	}
	must(t, "finalize", out)
	mustEqual(t, tree(t, out), tree(t, whole))
	mustRefuse(t, with("--task-count 3 --task-index 1 --games 8 --shard-games 4"), 5, "shard_games")
}

func TestRanges(t *testing.T) {
	if got := ranges([]int{0, 1, 2, 5, 7, 8}); got != "0-2, 5, 7-8" {
		t.Error(got)
	}
}
