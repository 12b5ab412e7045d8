package program

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"selfplay/datasets"
	"selfplay/datasets/plan"
	"selfplay/encode"
	"selfplay/internal/must"
)

// TestRowsAreThoseOfARun: the dataset is, byte for byte, what selfplay run makes with the
// same flags, in every shape of every game. The shape of the source does not matter: rows are
// made from games, which a filter leaves whole. Two shapes are also made from a filtered source.
func TestRowsAreThoseOfARun(t *testing.T) {
	if testing.Short() {
		t.Skip("makes a hundred datasets")
	}
	dir := t.TempDir()
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
				mustRun(t, slices.Concat([]string{"run", "--quiet"}, games, strings.Fields(shape), []string{"--out", at(i)})...)
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
	mustExport(t, slices.Concat([]string{"rows"}, flags, strings.Fields(shape), []string{source})...)
}

// TestRowsResumes: after a stop the same command resumes, and other flags are refused.
func TestRowsResumes(t *testing.T) {
	source, dir := randomDataset(t, plan.List), t.TempDir()
	whole, stopped := filepath.Join(dir, "whole"), filepath.Join(dir, "stopped")
	args := func(out string) []string { return []string{"export", "rows", "--keep", "0.5", "--out", out, source} }
	run := func(ctx context.Context, out string) (code int, stderr string) {
		var stdout, errs bytes.Buffer
		code = runExport(ctx, catalog, args(out), strings.NewReader(""), &stdout, &errs)
		return code, errs.String()
	}
	if code, stderr := run(context.Background(), whole); code != 0 {
		t.Fatal(stderr)
	}
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		defer cancel()
		for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(100 * time.Microsecond) {
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
			mustExport(t, append(strings.Fields("rows --out "+out+" "+flags), source)...)
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
	lines := strings.Split(strings.TrimSpace(mustExport(t, "head", "--rows", "40", dir)), "\n")
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
			text := mustExport(t, "convert", "--quiet", "--format", "moves", "--out", "-", dir)
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
		if text := string(readBytes(t, filepath.Join(out, "README.md"))); !strings.Contains(text, "are of a later search: `ab:depth=1,multi=2,net=none v1 where=all`") {
			t.Errorf("%s: the card does not name the player", game.Name)
		}
		for _, args := range [][]string{{"verify", "--deep"}, {"stats"}, {"head"}} {
			mustExport(t, append(args, out)...)
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
		mustExport(t, args...)
	}
	for _, want := range []string{"rescored  ", "of which ", "shift  ", "best move  the same in ", "before  ", "after  ", "AUC 0."} {
		if o.code != 0 || !strings.Contains(o.stdout, want) {
			t.Errorf("the report has no %q: %+v", want, o)
		}
	}
}

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
		if text := string(readBytes(t, filepath.Join(out, "README.md"))); !strings.Contains(text, "(`5 by a=130 b=364`, the model of scores)") || !strings.Contains(text, "| value_target | int16 |") {
			t.Errorf("%s: the card does not explain the column", game.Name)
		}
		records := filepath.Join(t.TempDir(), "records")
		for _, args := range [][]string{{"verify", "--deep", out}, {"dedup", "--out", filepath.Join(t.TempDir(), "unique"), out},
			{"convert", "--format", "records", "--fields", "board,outcome,value_target", "--out", records, out}} {
			mustExport(t, args...)
		}
		if text := string(readBytes(t, filepath.Join(records, "dtype.json"))); !strings.Contains(text, `"name":"value_target","type":"<i2"`) {
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
		mustExport(t, strings.Fields(line)...)
	}
	want := labelsOf(t, in("together"))
	for _, name := range []string{"later", "packed"} {
		for i, l := range labelsOf(t, in(name)) {
			if l != want[i] {
				t.Fatalf("%s: row %d is %+v, want %+v", name, i, l, want[i])
			}
		}
	}
	if a, b := readBytes(t, in("without")+"/manifest.json"), readBytes(t, in("scored")+"/manifest.json"); string(a) != string(b) {
		t.Error("the dataset without value targets differs from the one that never had them")
	}
	if ds, err := datasets.Open(in("again")); err != nil || ds.Plan().Deblunder != "" {
		t.Errorf("rescored without --deblunder: %v, plan %+v", err, ds.Plan())
	}
}
