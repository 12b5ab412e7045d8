package program

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"selfplay/encode"
)

// tree returns the content of every file that readers of a dataset see, by name.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && d.Name() == ".selfplay":
			return fs.SkipDir
		case d.IsDir():
			return nil
		}
		data, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		files[name] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// mustEqual compares two datasets byte for byte.
func mustEqual(t *testing.T, got, want map[string]string) {
	t.Helper()
	for name := range want {
		if got[name] != want[name] {
			t.Errorf("%s differs", name)
		}
	}
	for name := range got {
		if _, ok := want[name]; !ok {
			t.Errorf("unexpected file %s", name)
		}
	}
}

// must runs the program, which must exit with 0, and returns its stdout.
func must(t *testing.T, args ...string) string {
	t.Helper()
	o := selfplay("", args...)
	if o.code != 0 {
		t.Fatalf("%q: exit code %d, stderr %s", args, o.code, o.stderr)
	}
	return o.stdout
}

func TestRunRefusals(t *testing.T) {
	const ok = "run --game cotulenh --games 4 "
	for _, c := range []struct {
		args string
		code int
		want string
	}{
		{"run --games 4 --out OUT", 2, "flag --game is missing"},
		{"run", 2, "flags --game, --games and --out are missing"},
		{"run --game go --games 4 --out OUT", 2, `unknown game "go": want one of cotulenh`},
		{"run --game cotulenh --out OUT", 2, "flag --games is missing"},
		{"run --game cotulenh --games 4", 2, "flag --out is missing"},
		{"run --game cotulenh --games 4 --out=", 2, "flag --out is missing"},
		{"run --game cotulenh --games 0 --out OUT", 2, "games 0: want 1 to 100000000, that is 100000 shards of 1000"},
		{"run --game cotulenh --games -5 --out OUT", 2, `invalid value "-5" for flag --games`},
		{"run --game cotulenh --games 1e-6 --out OUT", 2, `invalid value "1e-6" for flag --games: want a whole number such as 4000, 10k, 1M or 1e6`},
		{"run --game cotulenh --games 1G --out OUT", 2, "games 1000000000: want 1 to"},
		{"run --game cotulenh --games 100000001 --out OUT", 2, "games 100000001: want 1 to"},
		{"run --game cotulenh --games 18446744073709551616 --out OUT", 2, "invalid value \"18446744073709551616\" for flag --games: want a whole number"},
		{"run --game cotulenh --games 200001 --shard-games 2 --out OUT", 2, "100000 shards of 2"},

		{ok + "--out OUT more", 2, `unexpected argument "more": run takes flags only`},
		{"run OUT --game cotulenh --games=4 --out OUT", 2, `/out": run takes flags only`},
		{ok + "OUT", 2, "takes flags only"},
		{ok + "--out OUT --speed 9", 2, "unknown flag --speed, did you mean --seed? (selfplay run --help lists the flags)"},
		{ok + "--out OUT --variant tall", 2, `unknown variant "tall"`},
		{ok + "--out OUT --seed -1", 2, `invalid value "-1" for flag --seed`},
		{ok + "--out OUT --workers 0", 2, "workers 0: want 1 to 4096"},
		{ok + "--out OUT --workers -2", 2, "workers -2: want 1 to 4096"},
		{ok + "--out OUT --workers 5000", 2, "workers 5000: want 1 to 4096"},
		{ok + "--out OUT --workers many", 2, `invalid value "many" for flag --workers`},
		{ok + "--out OUT --player minimax", 2, `unknown player "minimax": want one of random`},
		{ok + "--out OUT --player-second minimax", 2, `unknown player "minimax"`},
		{ok + "--out OUT --player random --player-first random", 2, "flags --player and --player-first exclude each other"},
		{ok + "--out OUT --format csv", 2, `format "csv"`},
		{ok + "--out OUT --layout planar", 2, `unknown layout "planar" of cotulenh: want one of compact, planes`},
		{ok + "--out OUT --board-type round", 2, `board type "round"`},
		{ok + "--out OUT --columns legal", 2, `unknown column "legal": want some of +static_score,+legal,+legal_actions,+hash,+repetitions,+move`},
		{ok + "--out OUT --columns +hash,+hash", 2, `column "+hash" is given twice`},
		{ok + "--out OUT --layout planes --perspective board", 2, "--perspective board: the layout planes always shows the view of the side to move; leave the flag out or choose mover"},
		{ok + "--out OUT --perspective red", 2, `unknown perspective "red": want board or mover`},
		{ok + "--out OUT --skip checks", 2, `unknown condition "checks": want some of limit, ply<N`},
		{ok + "--out OUT --skip ply<0", 2, `condition "ply<0": want a number from 1 to 65535`},
		{ok + "--out OUT --skip ply<3,ply<4", 2, `condition "ply<4": its kind is given twice`},
		{ok + "--out OUT --keep 0", 2, `keep "0": want a fraction above 0`},
		{ok + "--out OUT --keep 10%", 2, `keep "10%": want a fraction from 0 to 1`},
		{ok + "--out OUT --keep 0.0001", 2, `keep "0.0001": want whole thousandths`},
		{ok + "--out OUT --max-rows-per-game -1", 2, `max-rows-per-game "-1": want a number`},
		{ok + "--out OUT --max-rows-per-game many", 2, `max-rows-per-game "many": want a number`},
		{ok + "--out OUT --shard-games 0", 2, "shard-games 0: want at least 1"},
		{ok + "--out OUT --shard-games -1", 2, `invalid value "-1" for flag --shard-games`},
		{ok + "--out OUT --shard-games 1000001", 2, "1000001 games per shard"},
		{ok + "--out OUT --validation 0.0005", 2, "want whole thousandths"},
		{ok + "--out OUT --validation 1.001", 2, "want a fraction from 0 to 1"},
		{ok + "--out OUT --validation -0.05", 2, "want a fraction from 0 to 1"},
		{ok + "--out OUT --validation NaN", 2, "want a fraction from 0 to 1"},
		{ok + "--out OUT --validation 5%", 2, "want a fraction from 0 to 1"},
		{ok + "--out OUT --max-plies 0", 2, "max-plies 0: want 1 to 65535"},
		{ok + "--out OUT --max-plies 65536", 2, "max-plies 65536: want 1 to 65535"},
		{ok + "--out OUT --check some", 2, `unknown check "some": want full or light`},

		{ok + "--out FILE", 2, "is not a directory"},
		{ok + "--out FILE/below", 2, "not a directory"},
		{ok + "--out FULL", 2, "not a dataset: it holds"},
	} {
		t.Run(c.args, func(t *testing.T) {
			dir := t.TempDir()
			write := func(name string) string {
				path := filepath.Join(dir, name)
				os.MkdirAll(filepath.Dir(path), 0o755)
				os.WriteFile(path, []byte("mine"), 0o644)
				return path
			}
			file, full := write("file"), filepath.Dir(write("full/thesis.tex"))
			before := tree(t, dir)
			args := strings.NewReplacer("OUT", filepath.Join(dir, "out"), "FILE", file, "FULL", full).Replace(c.args)
			mustRefuse(t, selfplay("", strings.Fields(args)...), c.code, c.want)
			mustEqual(t, tree(t, dir), before)
			for _, name := range []string{"out", "full/.selfplay"} {
				if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
					t.Errorf("%s was made", name)
				}
			}
		})
	}
}

// TestRunRefusesAnotherPlan: a run with a change of any flag of the plan is refused and
// leaves the dataset as it is.
func TestRunRefusesAnotherPlan(t *testing.T) {
	out := t.TempDir()
	base := []string{"run", "--game", "contrast", "--games", "6", "--shard-games", "3", "--max-plies", "20", "--out", out}
	alone := slices.Clone(base)
	base = append(base, "--player", "greedy")
	must(t, base...)
	before := tree(t, out)
	book := filepath.Join(t.TempDir(), "book.txt")
	if err := os.WriteFile(book, []byte("3,3,3,3,3,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,6,6,6,6,6,3,1,3,1 x\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	changes := []struct{ flag, value, want string }{
		{"game", "chess", "game"},
		{"variant", "before", "variant"},
		{"seed", "2", "seed is 1, not 2"},
		{"max-plies", "21", "max_plies"},
		{"player", "random", "players"},
		{"player-first", "random", "players"},
		{"player-second", "ab:depth=1", "players"},
		{"opening-plies", "3-5", "play"},
		{"opening-max-score", "300", "opening-max-score=300"},
		{"book", book, "play"},
		{"explore-moves", "2", "explore"},
		{"explore-plies", "1-9", "explore"},
		{"explore-among", "3", "explore"},
		{"explore-window", "50", "explore"},
		{"adjudicate-win", "400,3", "adjudicate-win"},
		{"adjudicate-draw", "20,6,20", "adjudicate-draw"},
		{"play-out", "0.3", "play-out"},
		{"shard-games", "4", "shard_games"},
		{"board-type", "packed", "board_type"},
		{"format", "arrow", "format"},
		{"layout", "planes", "layout"},
		{"validation", "0.5", "validation"},
		{"skip", "random", "filter is null, not [\"skip=random\"]"},
		{"keep", "0.5", "filter"},
		{"max-rows-per-game", "5", "filter"},
		{"perspective", "mover", `perspective is "", not "mover"`},
		{"columns", "+hash", "columns"},
		{"deblunder", "20", `deblunder is "", not "20 by a=130 b=364"`},
		{"model", "1,2", `deblunder is "", not "20 by a=1 b=2"`},
	}
	needs := map[string][]string{ // flags that a flag has no effect without
		"explore-plies":  {"--explore-moves", "2"},
		"explore-among":  {"--explore-moves", "2"},
		"explore-window": {"--explore-moves", "2", "--explore-among", "3"},
		"play-out":       {"--adjudicate-win", "400,3"},
		"deblunder":      {"--model", "130,364"},
		"model":          {"--deblunder", "20"},
	}
	tried := map[string]bool{}
	for _, c := range changes {
		tried[c.flag] = true
		args := append(slices.Clone(base), needs[c.flag]...)
		if strings.HasPrefix(c.flag, "player-") { // --player excludes it
			args = slices.Clone(alone)
		}
		mustRefuse(t, selfplay("", append(args, "--"+c.flag, c.value)...), 5, c.want)
	}
	for _, f := range planFlags(catalog.Games) {
		if !tried[f.Names()[0]] {
			t.Errorf("--%s was not changed", f.Names()[0])
		}
	}
	mustEqual(t, tree(t, out), before)
	for _, same := range []string{"--workers 3", "--seed 1", "--check light", "--opening-plies 4-10", "--games 5",
		"--keep 1 --max-rows-per-game 0 --perspective board --skip= --columns= --deblunder 0"} {
		must(t, append(base, strings.Fields(same)...)...)
		mustEqual(t, tree(t, out), before)
	}
}

func TestRunIsTheSameForAnyNumberOfWorkers(t *testing.T) {
	dir, games := t.TempDir(), "70"
	if testing.Short() || watched {
		games = "25"
	}
	for _, game := range encode.Games() {
		for i, flags := range []string{"", "--format arrow", "--layout planes --board-type packed", "--player random:uniform", "--player ab:depth=1,multi=2 --explore-moves 2 --explore-among 2 --max-plies 40", "--player mcts:sims=20,temp=1,noise=0.25 --max-plies 16",
			"--perspective mover --columns +static_score,+legal,+legal_actions,+hash,+repetitions,+move --skip check,capture,ply<4 --keep 0.5 --max-rows-per-game 20"} {
			var want map[string]string
			for _, workers := range []int{1, 2, 7} {
				out := filepath.Join(dir, game.Name, fmt.Sprint(i), fmt.Sprint(workers))
				must(t, append([]string{"run", "--quiet", "--game", game.Name, "--games", games, "--shard-games", "10", "--validation", "0.4",
					"--workers", fmt.Sprint(workers), "--out", out}, strings.Fields(flags)...)...)
				if want == nil {
					want = tree(t, out)
				}
				mustEqual(t, tree(t, out), want)
			}
		}
	}
}

func TestRunGoesOn(t *testing.T) {
	dir := t.TempDir()
	run := func(out string, games int) map[string]string {
		out = filepath.Join(dir, out)
		must(t, "run", "--game", "cotulenh", "--games", fmt.Sprint(games), "--shard-games", "8", "--out", out)
		return tree(t, out)
	}
	want := run("at once", 30)
	run("bit by bit", 5)
	run("bit by bit", 16)
	mustEqual(t, run("bit by bit", 30), want)
}

func TestRunSummaryStatesTheValidationShare(t *testing.T) {
	for flags, want := range map[string]string{
		"--games 4": "no validation split: all games are in one shard; choose a smaller --shard-games",
		"--games 4 --shard-games 2 --validation 0":   "no validation split\n",
		"--games 4 --shard-games 2":                  "2 games, 50.0 % of all; 5.0 % requested",
		"--games 5 --shard-games 1 --validation 0.2": "1 game, 20.0 % of all; 20.0 % requested",
	} {
		text := must(t, strings.Fields("run --game contrast --max-plies 20 --out "+t.TempDir()+" "+flags)...)
		if !strings.Contains(text, want) {
			t.Errorf("%s: the summary does not say %q:\n%s", flags, want, text)
		}
	}
}

func TestRunSummary(t *testing.T) {
	out := t.TempDir()
	args := []string{"run", "--game", "cotulenh", "--games", "12", "--out", out}
	text := must(t, args...)
	for _, want := range []string{"12 of 12, 12 of them new, seed 1", "per second", "games, ", out, "selfplay head " + out} {
		if !strings.Contains(text, want) {
			t.Errorf("the summary does not say %q:\n%s", want, text)
		}
	}
	if text := must(t, args...); !strings.Contains(text, "12 of 12, 0 of them new") {
		t.Errorf("the second summary does not say that nothing is new:\n%s", text)
	}
	if text := must(t, "run", "--game", "cotulenh", "--games", "5", "--out", out); !strings.Contains(text, "12 of 12, 0 of them new") || !strings.Contains(text, "requested") {
		t.Errorf("the summary of a run for fewer games does not say that all stay:\n%s", text)
	}
	if o := selfplay("", append(args, "--quiet")...); o.code != 0 || o.stdout+o.stderr != "" {
		t.Errorf("--quiet: %+v", o)
	}
	o := selfplay("", append([]string{"--log-format", "json"}, args...)...)
	if !strings.HasPrefix(o.stderr, "{") || !strings.Contains(o.stderr, `"seed":1`) {
		t.Errorf("--log-format json: %s", o.stderr)
	}
}

// TestRunRefusesADamagedDataset in one line that says what to do, without a summary of
// what it has not looked at.
func TestRunRefusesADamagedDataset(t *testing.T) {
	for name, want := range map[string]string{
		"positions/validation-00001.parquet": "check positions/validation-00001.parquet: ",
		".selfplay/commits/00001.json":       "read .selfplay/commits/00001.json: ",
	} {
		out := t.TempDir()
		args := []string{"run", "--quiet=false", "--game", "contrast", "--games", "6", "--shard-games", "2", "--max-plies", "12", "--out", out}
		must(t, args...)
		if err := os.Truncate(filepath.Join(out, name), 9); err != nil {
			t.Fatal(err)
		}
		help := fmt.Sprintf(": run selfplay verify %s for details, selfplay export repair %s to remove the damage\n", out, out)
		for _, args := range [][]string{args, append(slices.Clone(args), "--games", "8"), {"finalize", out}} {
			o := selfplay("", args...)
			mustRefuse(t, o, 1, want)
			if !strings.HasSuffix(o.stderr, help) || strings.Count(o.stderr, "corrupt") != 1 {
				t.Errorf("%v: stderr is %q", args, o.stderr)
			}
		}
	}
}

// TestRunAsksBeforeARebuild: a dataset that was copied without .selfplay/ is played again
// only with --rebuild.
func TestRunAsksBeforeARebuild(t *testing.T) {
	out := t.TempDir()
	args := []string{"run", "--quiet", "--game", "contrast", "--games", "6", "--shard-games", "2", "--max-plies", "12", "--out", out}
	must(t, args...)
	want := tree(t, out)
	if err := os.RemoveAll(filepath.Join(out, ".selfplay")); err != nil {
		t.Fatal(err)
	}
	mustRefuse(t, selfplay("", args...), 2, "data files without .selfplay/: copy .selfplay/ too, as cp -r and rsync -a do, or use --rebuild")
	must(t, append(args, "--rebuild")...)
	mustEqual(t, tree(t, out), want)
}
