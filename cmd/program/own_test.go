package program

import (
	"fmt"
	"maps"
	"path/filepath"
	"strings"
	"testing"

	"selfplay/encode"
	"selfplay/encode/encodetest"
	"selfplay/engine/enginetest"
	"selfplay/internal/must"
	"selfplay/workers"
)

// ownRun returns the command line of a run of a program that chooses moves.
func ownRun(out string, flags ...string) []string {
	line := []string{"run", "--game", "contrast", "--games", "24", "--shard-games", "5", "--player", "own:mine", "--max-plies", "60", "--out", out}
	return append(line, flags...)
}

// TestDatasetOfAnOwnPlayerIsAFunctionOfPlanAndPlayer: the same bytes for any number of workers and programs, and if
// these or the run are killed again and again.
func TestDatasetOfAnOwnPlayerIsAFunctionOfPlanAndPlayer(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(dir, "one")
	mustRun(t, ownRun(out, modelOfTests(t, ""), "--workers", "1")...)
	want := tree(t, out)
	if !strings.Contains(want["plan.json"], `"spec": "own:mine"`) || !strings.Contains(want["plan.json"], `"plays": true`) || !strings.Contains(want["README.md"], "Programs that are not part of the dataset chose moves") {
		t.Fatal(want["plan.json"])
	}
	for i, flags := range [][]string{
		{"--workers", "7", modelOfTests(t, "prints slow")},
		{modelOfTests(t, ""), modelOfTests(t, "slow")},
		{"--workers", "64", modelOfTests(t, "exits=60"), modelOfTests(t, "prints_late=70")},
	} {
		other := filepath.Join(dir, fmt.Sprint(i))
		mustRun(t, ownRun(other, flags...)...)
		if !maps.Equal(tree(t, other), want) {
			t.Errorf("%q: other bytes", flags)
		}
	}
	killed, counts := filepath.Join(dir, "killed"), filepath.Join(dir, "counts")
	for i := range 10 {
		enough := len(readText(counts)) + 512 + 40 + 5*i
		process, _ := start(t, ownRun(killed, modelOfTests(t, "slow=30 counts="+counts), "--workers", "8")...)
		waitUntil(t, "questions", func() bool { return len(readText(counts)) >= enough || process.ProcessState != nil })
		must.Do(t, process.Process.Kill())
		_ = process.Wait() // killed
	}
	mustRun(t, ownRun(killed, modelOfTests(t, ""))...)
	if !maps.Equal(tree(t, killed), want) {
		t.Error("other bytes after kills of the program")
	}
	mustRun(t, "verify", "--deep", out)
	mustRun(t, "verify", "--regenerate", modelOfTests(t, ""), out)
	mustStop(t, selfplay("", ownRun(out, "--games", "30", modelOfTests(t, "salt=other"))...), 5, "evaluator mine: fingerprint ")
}

// TestOtherCommandsAskOwnPlayers: match, bench, rescore, and runs with mixtures.
func TestOtherCommandsAskOwnPlayers(t *testing.T) {
	dir := t.TempDir()
	own := modelOfTests(t, "")
	mustRun(t, "match", "--game", "contrast", "--a", "own:mine", "--b", "random", "--games", "8", own)
	mustRun(t, "bench", "--game", "contrast", "--player", "own:mine", "--seconds", "0.2", own)
	mustRun(t, "run", "--game", "chess", "--games", "6", "--player", "0.5*own:mine + 0.5*random", "--max-plies", "40", own, "--out", filepath.Join(dir, "chess"))
	mustRun(t, "run", "--game", "contrast", "--games", "12", "--shard-games", "3", "--player", "greedy", "--out", filepath.Join(dir, "source"))
	out := filepath.Join(dir, "out")
	mustExport(t, "rescore", "--player", "own:mine", own, "--out", out, filepath.Join(dir, "source"))
	mustExport(t, "verify", "--deep", out)
}

// TestWrongOwnPlayersAreRefused with the fault, and the position if there is one.
func TestWrongOwnPlayersAreRefused(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	for want, line := range map[string][]string{
		"no evaluator has this name: want --evaluator mine='COMMAND'":    ownRun(out),
		"want own:NAME, with a name of lower-case letters, digits and _": {"bench", "--game", "contrast", "--player", "own:"},
		"depends on its place in the batch or on its neighbours":         ownRun(out, modelOfTests(t, "neighbours")),
		`its model is for game "chess", but this is "contrast"`:          ownRun(out, modelOfTests(t, "game=chess")),
		`position "`: ownRun(out, modelOfTests(t, "refuses=1")),
		"eval=mine asks it for values and own:mine for moves": {"match", "--game", "contrast", "--a", "own:mine", "--b", "greedy:eval=mine", modelOfTests(t, "")},
	} {
		mustStop(t, selfplay("", line...), 2, want)
	}
}

// TestRulesAloneRefuseStaticScores: a game without a static score is played by models, and whatever asks for such a score, or
// for a model of the scores of user's models, says in one line what it lacks.
func TestRulesAloneRefuseStaticScores(t *testing.T) {
	alone := workers.Catalog{Games: encode.Catalog{encodetest.WithoutScore(encode.Contrast())}, Players: catalog.Players}
	dir := t.TempDir()
	set, no := filepath.Join(dir, "set"), filepath.Join(dir, "no")
	run := func(line ...string) outcome { return selfplayOf(alone, "", line...) }
	mustStop(t, run("run", "--quiet", "--game", "contrast", "--player", "mcts:sims=5,eval=mine", "--games", "6", "--max-plies", "30", modelOfTests(t, ""), "--out", set), 0, "")
	const players = "the game has no static score: want random, mcts:eval=NAME or greedy:eval=NAME"
	for _, c := range []struct{ line, want string }{
		{"run --player ab --out " + no, players},
		{"match --a greedy --b random", players},
		{"bench --player mcts:sims=5", players},
		{"run --player random --opening-max-score 100 --out " + no, "opening-max-score 100: contrast has no static score"},
		{"run --player random --columns +static_score --out " + no, "column +static_score: contrast has no static score"},
		{"run --player greedy:eval=mine --deblunder 20 --out " + no, "no model of these scores is known"},
	} {
		words := strings.Fields(c.line)
		line := append([]string{words[0], "--game", "contrast"}, words[1:]...)
		if words[0] == "run" {
			line = append(line, "--games", "6")
		}
		if strings.Contains(c.line, "eval=mine") {
			line = append(line, modelOfTests(t, ""))
		}
		mustStop(t, run(line...), 2, c.want)
	}
	for _, c := range []struct{ line, want string }{
		{"rescore --player ab --out " + no, players},
		{"rescore --player random --out " + no, "it does not search, so it has no scores"},
		{"rows --deblunder 20 --out " + no, "no model of these scores is known"},
		{"rows --columns +static_score --out " + no, "column +static_score: contrast has no static score"},
	} {
		mustStop(t, run(append(strings.Fields(c.line), set)...), 2, c.want)
	}
}

// TestGamesOfAnOwnPlayer with its seeds, scores and policies: the golden file has two games.
func TestGamesOfAnOwnPlayer(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	mustRun(t, ownRun(out, "--games", "2", "--max-plies", "8", "--opening-plies", "2", "--validation", "0", modelOfTests(t, ""))...)
	columns := "game,ply,side,action,searched,best_action,score,nodes,policy_action,policy_weight"
	text := mustExport(t, "head", "--rows", "16", "--json", "--columns", columns, out)
	enginetest.Golden(t, "testdata/own.txt", text, "Plans of players depend on their seeds and on what they are asked")
}
