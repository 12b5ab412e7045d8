package export

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"selfplay/datasets"
	"selfplay/encode"
)

// tree returns the content of every file in a folder by name, without .selfplay.
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

// mustEqual compares two folders byte for byte.
func mustEqual(t *testing.T, got, want map[string]string) {
	t.Helper()
	if names, wanted := slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)); !slices.Equal(names, wanted) {
		t.Fatalf("files %q, want %q", names, wanted)
	}
	for name := range want {
		if got[name] != want[name] {
			t.Errorf("%s differs", name)
		}
	}
}

// selfplayRun builds the program selfplay and returns a function that calls its command
// run. The command is in package main, so a test of another package cannot call it in
// process. Without a profile the build reuses the packages that this test is built from.
func selfplayRun(t *testing.T) func(args ...string) {
	t.Helper()
	exe := filepath.Join(diskTempDir(t), "selfplay.exe")
	if out, err := exec.Command("go", "build", "-pgo=off", "-o", exe, "../../selfplay").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return func(args ...string) {
		t.Helper()
		if out, err := exec.Command(exe, append([]string{"run", "--quiet"}, args...)...).CombinedOutput(); err != nil {
			t.Fatalf("selfplay run %q: %v: %s", args, err, out)
		}
	}
}

// TestRowsAreThoseOfARun: the dataset is, byte for byte, what selfplay run makes with the
// same flags, in every shape of every game. The shape of the source does not matter: rows are
// made from games, which a filter leaves whole. Two shapes are also made from a filtered source.
func TestRowsAreThoseOfARun(t *testing.T) {
	if testing.Short() {
		t.Skip("makes a hundred datasets")
	}
	play, dir := selfplayRun(t), t.TempDir()
	shapes := []string{
		"",
		"--format arrow --board-type packed",
		"--layout planes --perspective mover",
		"--skip check,capture,ply<8 --keep 0.5 --max-rows-per-game 9",
		"--perspective mover --columns +move,+repetitions,+hash,+legal_actions,+legal,+static_score --keep 0.3",
		"--skip ply<60000",
	}
	targets := map[int][]int{0: {1, 2, 3, 4, 5}, 4: {0, 3}} // shapes, by the shape of the source
	for _, game := range encode.Games() {
		for _, player := range []string{"", "--player ab:depth=1,multi=3 --explore-moves 2 --explore-among 3"} {
			games := strings.Fields("--game " + game.Name + " --games 9 --shard-games 4 --validation 0.3 --max-plies 60 --seed 9 " + player)
			at := func(i int) string { return filepath.Join(dir, game.Name, fmt.Sprint(player != "", i)) }
			for i, shape := range shapes {
				play(slices.Concat(games, strings.Fields(shape), []string{"--out", at(i)})...)
			}
			for source, list := range targets {
				for _, i := range list {
					out := at(100*source + i + 100)
					remakeIn(t, out, at(source), shapes[i])
					mustEqual(t, tree(t, out), tree(t, at(i)))
				}
			}
		}
	}
}

// remakeIn runs rows with the flags of a shape. A flag that is not given stays as in the
// source, so it gives all flags.
func remakeIn(t *testing.T, out, source, shape string) {
	t.Helper()
	flags := []string{"--format", "parquet", "--board-type", "list", "--layout", "compact", "--perspective", "board",
		"--columns", "", "--skip", "", "--keep", "1", "--max-rows-per-game", "0", "--out", out}
	if o := export(slices.Concat([]string{"rows"}, flags, strings.Fields(shape), []string{source})...); o.code != 0 {
		t.Fatalf("%q from %s: %+v", shape, source, o)
	}
}

// TestRowsKeepsTheShapeOfTheSource: as far as no flag changes it.
func TestRowsKeepsTheShapeOfTheSource(t *testing.T) {
	source, dir := dataset(t, datasets.Packed), t.TempDir()
	step := func(from, to string, flags ...string) map[string]string {
		o := export(slices.Concat([]string{"rows", "--out", filepath.Join(dir, to)}, flags, []string{from})...)
		if o.code != 0 {
			t.Fatalf("%q: %+v", flags, o)
		}
		return tree(t, filepath.Join(dir, to))
	}
	at := func(name string) string { return filepath.Join(dir, name) }
	all := step(source, "all", "--skip", "ply<8", "--keep", "0.5", "--perspective", "mover", "--columns", "+hash", "--format", "arrow")
	step(source, "a", "--keep", "0.5", "--columns", "+hash")
	step(at("a"), "b", "--skip", "ply<8", "--format", "arrow")
	mustEqual(t, step(at("b"), "c", "--perspective", "mover"), all)
	mustEqual(t, step(at("c"), "d"), all) // without flags: a copy
	back := step(at("c"), "back", "--skip", "", "--keep", "1", "--perspective", "board", "--columns", "", "--format", "parquet")
	mustEqual(t, back, tree(t, source))
}

// TestRowsPrintsInfo: of the dataset that it made.
func TestRowsPrintsInfo(t *testing.T) {
	source, out := dataset(t, datasets.List), filepath.Join(t.TempDir(), "out")
	o := export("rows", "--skip", "ply<8,check", "--keep", "0.25", "--out", out, source)
	if o.code != 0 || o.stdout != export("info", out).stdout || !strings.Contains(o.stderr, "msg=start games=12 games_done=0 game=cotulenh from="+source) {
		t.Errorf("%+v", o)
	}
	for _, want := range []string{"complete, 3 of 3 shards", "dropped     96 rows, skip=ply<8\n", "rows, skip=check\n", "rows, keep=0.25\n", "games       12 of 12\n"} {
		if !strings.Contains(o.stdout, want) {
			t.Errorf("%q is missing in\n%s", want, o.stdout)
		}
	}
	o = export("rows", "--skip", "ply<8,check", "--keep", "0.25", "--out", out, "--json", source)
	var info datasets.Info
	if err := json.Unmarshal([]byte(o.stdout), &info); err != nil || strings.Count(o.stdout, "\n") != 1 || len(info.Dropped) != 3 || info.Dropped[0].Rows != 96 {
		t.Errorf("%v: %+v", err, o)
	}
	if o = export("rows", "--quiet", "--skip", "ply<8,check", "--keep", "0.25", "--out", out, source); o.code != 0 || o.stdout+o.stderr != "" {
		t.Errorf("--quiet: %+v", o)
	}
	if o = export("verify", "--deep", out); o.code != 0 || !strings.HasPrefix(o.stdout, "ok: 3 shards, 12 games, ") {
		t.Errorf("%+v", o)
	}
}

// TestRowsResumes: after a stop the same command resumes, and other flags are refused.
func TestRowsResumes(t *testing.T) {
	source, dir := dataset(t, datasets.List), t.TempDir()
	whole, stopped := filepath.Join(dir, "whole"), filepath.Join(dir, "stopped")
	args := func(out string) []string { return []string{"export", "rows", "--keep", "0.5", "--out", out, source} }
	run := func(ctx context.Context, out string) (code int, stderr string) {
		var stdout, errs bytes.Buffer
		code = Run(ctx, known, args(out), strings.NewReader(""), &stdout, &errs)
		return code, errs.String()
	}
	if code, stderr := run(context.Background(), whole); code != 0 {
		t.Fatal(stderr)
	}
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		defer cancel()
		for end := time.Now().Add(10 * time.Second); time.Now().Before(end); time.Sleep(100 * time.Microsecond) {
			if records, _ := filepath.Glob(filepath.Join(stopped, ".selfplay", "commits", "*.json")); len(records) > 0 {
				return
			}
		}
	}()
	if code, stderr := run(ctx, stopped); code != 3 && code != 0 { // it may finish before the stop
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	mustRefuse(t, export("rows", "--quiet", "--keep", "0.6", "--out", stopped, source), 5, "filter is [\"keep=0.5\"], not [\"keep=0.6\"]")
	if code, stderr := run(context.Background(), stopped); code != 0 {
		t.Fatal(stderr)
	}
	mustEqual(t, tree(t, stopped), tree(t, whole))

	cancelled, stop := context.WithCancel(context.Background())
	stop()
	none := filepath.Join(dir, "none")
	if code, _ := run(cancelled, none); code != 3 {
		t.Errorf("stopped before the start: exit code %d", code)
	}
	if _, err := os.Stat(none); err == nil {
		t.Error("stopped before the start, but made the directory")
	}
}

// TestRowsNamesADamagedOutput: the hint is about the dataset that is being made, not about
// its source.
func TestRowsNamesADamagedOutput(t *testing.T) {
	source, out := dataset(t, datasets.List), filepath.Join(t.TempDir(), "out")
	args := []string{"rows", "--quiet", "--keep", "0.5", "--out", out, source}
	if o := export(args...); o.code != 0 {
		t.Fatalf("%+v", o)
	}
	damage(t, out, "plan.json", flip)
	o := export(args...)
	mustRefuse(t, o, 1, "plan.json: corrupt")
	mustRefuse(t, o, 1, "run export verify "+out+" for details")
	if strings.Contains(o.stderr, "verify "+source) {
		t.Errorf("stderr is %s", o.stderr)
	}
}

// TestRowsRefusesADamagedSource: before it makes anything. Positions are not read.
func TestRowsRefusesADamagedSource(t *testing.T) {
	for _, c := range []struct {
		name string
		how  func([]byte) []byte
		code int
		want string
	}{
		{"games/train-00000.parquet", flip, 1, "read games/train-00000.parquet: corrupt: SHA-256"},
		{"games/train-00002.parquet", flip, 1, "read games/train-00002.parquet: corrupt: SHA-256"},
		{"games/validation-00001.parquet", shorten, 1, "read games/validation-00001.parquet: corrupt: SHA-256"},
		{"plan.json", flip, 1, "plan.json: corrupt"},
		{".selfplay/commits/00001.json", func(data []byte) []byte { return data[:len(data)/2] }, 1, "read .selfplay/commits/00001.json: corrupt"},
		{"positions/validation-00001.parquet", flip, 0, ""},
	} {
		source, out := dataset(t, datasets.List), filepath.Join(t.TempDir(), "out")
		damage(t, source, c.name, c.how)
		o := export("rows", "--quiet", "--keep", "0.5", "--out", out, source)
		if c.code == 0 {
			if o.code != 0 {
				t.Errorf("%s: %+v", c.name, o)
			}
			continue
		}
		mustRefuse(t, o, c.code, c.want)
		if _, err := os.Stat(out); err == nil {
			t.Errorf("%s is damaged, but output was written", c.name)
		}
	}
}

func TestRowsRefusals(t *testing.T) {
	source, dir := dataset(t, datasets.List), t.TempDir()
	file := filepath.Join(dir, "file")
	full := filepath.Join(dir, "full")
	if err := os.MkdirAll(full, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{file, filepath.Join(full, "thesis.tex")} {
		if err := os.WriteFile(name, []byte("mine"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	unfinished := dataset(t, datasets.List)
	if err := os.Remove(filepath.Join(unfinished, ".selfplay/commits/00001.json")); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(dir, "link")
	if err := os.Symlink(source, link); err != nil {
		link = source // the system has no links
	}
	before := tree(t, source)
	for _, c := range []struct {
		args string
		want string
	}{
		{"rows SOURCE", "flag --out is missing"},
		{"rows --out OUT", "no directory: want export rows [flags] DIR"},

		{"rows --out OUT DIR/none", "no such directory"},
		{"rows --out OUT FULL", "not a dataset: no plan.json"},
		{"rows --out SOURCE SOURCE", "it lies in the dataset"},
		{"rows --out LINK SOURCE", "it lies in the dataset"},
		{"rows --out LINK/positions/new/more SOURCE", "it lies in the dataset"},
		{"rows --out FILE SOURCE", "is not a directory"},
		{"rows --out FULL SOURCE", "not a dataset: it holds thesis.tex"},
		{"rows --out OUT UNFINISHED", "not finished: 1 of 3 shards are missing: run selfplay run to finish it"},
		{"rows --out OUT --games 5 SOURCE", "unknown flag --games"},
		{"rows --out OUT --seed 5 SOURCE", "unknown flag --seed"},
		{"rows --out OUT --check some SOURCE", `unknown check "some"`},
		{"rows --out OUT --format csv SOURCE", `format "csv"`},
		{"rows --out OUT --layout planar SOURCE", `unknown layout "planar" of cotulenh: want one of compact, planes`},
		{"rows --out OUT --skip nothing SOURCE", `unknown condition "nothing"`},
		{"rows --out OUT --keep 0 SOURCE", `keep "0": want a fraction above 0`},
		{"rows --out OUT --columns legal SOURCE", `unknown column "legal"`},
		{"rows --out OUT --perspective other SOURCE", `unknown perspective "other"`},
	} {
		t.Run(c.args, func(t *testing.T) {
			out := filepath.Join(dir, "out")
			args := strings.NewReplacer("OUT", out, "UNFINISHED", unfinished, "SOURCE", source, "LINK", link, "FILE", file, "FULL", full, "DIR/", dir+"/")
			var list []string
			for _, arg := range strings.Fields(c.args) {
				list = append(list, args.Replace(arg))
			}
			mustRefuse(t, export(list...), 2, c.want)
			if _, err := os.Stat(out); err == nil {
				t.Error("output was written")
			}
		})
	}
	mustEqual(t, tree(t, source), before)
}

// TestHeadShowsPositionsAndMovesInEveryPerspective: the texts of a flipped row are those of
// the row before it was flipped, and a column of moves has the same.
func TestHeadShowsPositionsAndMovesInEveryPerspective(t *testing.T) {
	for _, game := range encode.Games() {
		source, dir := datasetOf(t, game, &game.Layouts[0], datasets.List), t.TempDir()
		positions, moves := headTexts(t, source)
		if len(positions) != 40 || slices.Contains(moves, "") {
			t.Errorf("%s: positions %q, moves %q", game.Name, positions, moves)
		}
		for i, flags := range []string{"--perspective mover", "--columns +move", "--columns +move --perspective mover"} {
			out := filepath.Join(dir, fmt.Sprint(i))
			if o := export(append(strings.Fields("rows --out "+out+" "+flags), source)...); o.code != 0 {
				t.Fatalf("%+v", o)
			}
			if seen, played := headTexts(t, out); !slices.Equal(positions, seen) || !slices.Equal(moves, played) {
				t.Errorf("%s %s: positions %q, moves %q, want %q, %q", game.Name, flags, seen, played, positions, moves)
			}
		}
		mustReplay(t, game, positions[0], moves)
	}
}

// headTexts returns what the table of head has in its columns position and move.
func headTexts(t *testing.T, dir string) (positions, moves []string) {
	t.Helper()
	lines := strings.Split(strings.TrimSpace(export("head", "--rows", "40", dir).stdout), "\n")
	column := strings.Index(lines[0], "  move  ") + 2
	if strings.Count(lines[0], "  move  ") != 1 {
		t.Fatalf("the columns are %s", lines[0])
	}
	for _, line := range lines[1:] {
		move, _, _ := strings.Cut(line[column:], "  ")
		positions, moves = append(positions, line[strings.LastIndex(line, "  ")+2:]), append(moves, move)
	}
	return positions, moves
}

// mustReplay plays moves from a position.
func mustReplay(t *testing.T, game encode.Game, start string, moves []string) {
	t.Helper()
	p := game.New("")
	if err := p.Set(start); err != nil {
		t.Fatal(err)
	}
	for _, text := range moves {
		m, err := p.ParseMove(text)
		if err != nil {
			t.Fatal(err)
		}
		p.Do(m)
	}
}

// TestHeadShortensLists: in the table; JSON has all values.
func TestHeadShortensLists(t *testing.T) {
	source, out := dataset(t, datasets.List), filepath.Join(t.TempDir(), "out")
	if o := export("rows", "--columns", "+legal_actions,+legal", "--out", out, source); o.code != 0 {
		t.Fatalf("%+v", o)
	}
	if o := export("head", "--rows", "1", out); strings.Count(o.stdout, " …]") != 1 || len(o.stdout) > 600 {
		t.Errorf("%s", o.stdout)
	}
	var row struct {
		Legal        int
		LegalActions []int `json:"legal_actions"`
	}
	o := export("head", "--rows", "1", "--json", out)
	if err := json.Unmarshal([]byte(o.stdout), &row); err != nil || row.Legal < 50 || len(row.LegalActions) != row.Legal || !slices.IsSorted(row.LegalActions) {
		t.Errorf("%v: %s", err, o.stdout)
	}
}
