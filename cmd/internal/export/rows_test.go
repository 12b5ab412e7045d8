package export

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"selfplay/datasets/plan"
	"selfplay/encode"
	"selfplay/internal/must"
)

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
		"--where !check,!capture,ply>=8 --keep 0.5 --max-rows-per-game 9",
		"--perspective mover --columns +move,+repetitions,+hash,+legal_actions,+legal,+static_score --keep 0.3",
		"--where ply>=60000",
	}
	targets := map[int][]int{0: {1, 2, 3, 4, 5}, 4: {0, 3}} // shapes, by the shape of the source
	for _, game := range encode.Games() {
		for _, player := range []string{"--player random", "--player ab:depth=1,multi=3 --explore-moves 2 --explore-among 3"} {
			games := strings.Fields("--game " + game.Name + " --games 9 --shard-games 4 --validation 0.3 --max-plies 60 --seed 9 " + player)
			at := func(i int) string { return filepath.Join(dir, game.Name, fmt.Sprint(player != "--player random", i)) }
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
		"--columns", "", "--where", "", "--keep", "1", "--max-rows-per-game", "0", "--out", out}
	mustRun(t, slices.Concat([]string{"rows"}, flags, strings.Fields(shape), []string{source})...)
}

// TestRowsResumes: after a stop the same command resumes, and other flags are refused.
func TestRowsResumes(t *testing.T) {
	source, dir := dataset(t, plan.List), t.TempDir()
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
	mustRefuse(t, export("rows", "--quiet", "--keep", "0.6", "--out", stopped, source), 5, "--keep: 0.5 there, 0.6 here; choose another --out")
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

// TestHeadShowsPositionsAndMovesInEveryPerspective: the texts of a flipped row are those of
// the row before it was flipped, and a column of moves has the same.
func TestHeadShowsPositionsAndMovesInEveryPerspective(t *testing.T) {
	for _, game := range encode.Games() {
		source, dir := datasetOf(t, game, &game.Layouts[0], plan.List), t.TempDir()
		positions, moves := headTexts(t, source)
		if len(positions) != 40 || slices.Contains(moves, "") {
			t.Errorf("%s: positions %q, moves %q", game.Name, positions, moves)
		}
		for i, flags := range []string{"--perspective mover", "--columns +move", "--columns +move --perspective mover"} {
			out := filepath.Join(dir, fmt.Sprint(i))
			mustRun(t, append(strings.Fields("rows --out "+out+" "+flags), source)...)
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
	lines := strings.Split(strings.TrimSpace(mustRun(t, "head", "--rows", "40", dir)), "\n")
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
	must.Do(t, p.Set(start))
	for _, text := range moves {
		m := must.Get(p.ParseMove(text))(t)
		p.Do(m)
	}
}
