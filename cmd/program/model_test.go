package program

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"selfplay/internal/must"
)

// modelWord makes the test binary an evaluator: see TestMain.
const modelWord = "evaluator-of-tests"

// modelOfTests returns the flag of an evaluator that answers by a hash, with faults.
func modelOfTests(t *testing.T, faults string) string {
	return "--evaluator=mine='" + must.Get(os.Executable())(t) + "' " + modelWord + " " + faults
}

// modelRun returns the command line of a run of players that ask a model.
func modelRun(out string, flags ...string) []string {
	line := []string{"run", "--game", "contrast", "--games", "24", "--shard-games", "5", "--player", "mcts:sims=10,eval=mine", "--max-plies", "30", "--out", out}
	return append(line, flags...)
}

// TestDatasetOfAModelIsAFunctionOfPlanAndModel: the same bytes for any number of workers and evaluators, and if
// these or the program are killed again and again.
func TestDatasetOfAModelIsAFunctionOfPlanAndModel(t *testing.T) {
	out := filepath.Join(t.TempDir(), "one")
	mustRun(t, modelRun(out, modelOfTests(t, ""), "--workers", "1")...)
	want := tree(t, out)
	if !strings.Contains(want["plan.json"], `"spec": "mcts:sims=10,eval=mine"`) || !strings.Contains(want["README.md"], "## Models") {
		t.Fatal(want["plan.json"])
	}
	runs := [][]string{
		{"--workers", "7", modelOfTests(t, "prints slow")},
		{modelOfTests(t, ""), modelOfTests(t, "slow")},
		{"--workers", "256", modelOfTests(t, "exits=150"), modelOfTests(t, "prints_late=170")},
	}
	if *torture {
		runs = append(runs, []string{"--workers", "32", modelOfTests(t, "exits=60")}) // some twenty times
	}
	for _, flags := range runs {
		other := filepath.Join(t.TempDir(), "other")
		mustRun(t, modelRun(other, flags...)...)
		if !maps.Equal(tree(t, other), want) {
			t.Errorf("%q: other bytes", flags)
		}
	}
}

// TestKillsRepeatOneSearchOfEachGame: a run with a slow model that is killed again and again ends with the same bytes, and
// asks hardly more than an undisturbed run.
func TestKillsRepeatOneSearchOfEachGame(t *testing.T) {
	const live, sims, fixed = 8, 10, 512 // games at once, questions of a search, and those at the start
	kills := 6
	if *torture {
		kills = 20
	}
	dir := t.TempDir()
	whole, killed := filepath.Join(dir, "whole"), filepath.Join(dir, "killed")
	asked := func(name string) int { return len(readText(filepath.Join(dir, name))) }
	mustRun(t, modelRun(whole, modelOfTests(t, "counts="+filepath.Join(dir, "a")))...)
	counted := "counts=" + filepath.Join(dir, "b")
	for i := range kills {
		enough := asked("b") + fixed + 100 + 20*i
		process, _ := start(t, modelRun(killed, modelOfTests(t, "slow=40 "+counted), "--workers", fmt.Sprint(live))...)
		waitUntil(t, "questions", func() bool { return asked("b") >= enough })
		must.Do(t, process.Process.Kill())
		_ = process.Wait() // killed
	}
	mustRun(t, modelRun(killed, modelOfTests(t, counted))...)
	if !maps.Equal(tree(t, killed), tree(t, whole)) {
		t.Error("other bytes after kills of the program")
	}
	most := asked("a") + kills*(fixed+live*sims)
	if t.Logf("%d questions, undisturbed %d, at most %d expected", asked("b"), asked("a"), most); asked("b") > most {
		t.Errorf("%d questions, want at most %d", asked("b"), most)
	}
}

// mustStop checks the exit code and the last line of stderr.
func mustStop(t *testing.T, o outcome, code int, want string) {
	t.Helper()
	if last := lastLine(o.stderr); o.code != code || !strings.Contains(last, want) {
		t.Errorf("exit code %d, want %d; last line %q, want %q in it", o.code, code, last, want)
	}
}

// TestRunsOfAnotherModelAreRefused before anything is written, and what needs no model does without.
func TestRunsOfAnotherModelAreRefused(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	mustRun(t, modelRun(out, modelOfTests(t, ""))...)
	want := tree(t, out)
	for _, c := range []struct {
		code int
		text string
		line []string
	}{
		{5, "evaluator mine: fingerprint ", modelRun(out, "--games", "30", modelOfTests(t, "salt=other"))},
		{5, "evaluator mine: fingerprint ", modelRun(out, "--games", "30", "--approximate", modelOfTests(t, ""))},
		{2, "no evaluator has this name: want --evaluator mine='COMMAND'", modelRun(out)},
		{2, "did you mean", modelRun(out, "--evaluator", "mime=tcp:localhost:9")},
		{2, "no player uses it", []string{"run", "--game", "contrast", "--games", "5", "--player", "greedy", "--out", out, modelOfTests(t, "")}},
		{2, `evaluator "x": want NAME='COMMAND'`, modelRun(out, "--evaluator", "x")},
		{2, "flags --evaluator-timeout and --approximate need --evaluator", modelRun(out, "--approximate")},
		{2, "depends on its place in the batch or on its neighbours: evaluate batches of one shape", modelRun(out+"2", modelOfTests(t, "neighbours"))},
		{2, `its model is for game "chess", but this is "contrast"`, modelRun(out+"2", modelOfTests(t, "game=chess"))},
		{2, `position "`, modelRun(out+"2", modelOfTests(t, "refuses=1"))},
		{2, "no evaluator has this name", []string{"replay", "--game-index", "2", out}},
	} {
		mustStop(t, selfplay("", c.line...), c.code, c.text)
	}
	if !maps.Equal(tree(t, out), want) {
		t.Error("a refused run changed the dataset")
	}
	if _, err := os.Stat(out + "2"); !os.IsNotExist(err) {
		t.Errorf("a refused run began a dataset: %v", err)
	}
	mustExport(t, "verify", "--deep", out)
	mustExport(t, "verify", "--regenerate", "--sample", "0.5", modelOfTests(t, ""), out)
	mustExport(t, "info", out)
	for _, c := range []struct {
		text string
		line []string
	}{
		{"no evaluator has this name", []string{"verify", "--regenerate", out}},
		{"another model played the games", []string{"verify", "--regenerate", modelOfTests(t, "salt=other"), out}},
		{"flag --evaluator needs --regenerate", []string{"verify", "--deep", modelOfTests(t, ""), out}},
	} {
		mustStop(t, export(c.line...), 2, c.text)
	}
	mustRun(t, "replay", "--game-index", "2", modelOfTests(t, ""), out)
}

// TestRefusedModelsSayWhatDiffers from the model that began the dataset, and from another process of the same run.
func TestRefusedModelsSayWhatDiffers(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	first := modelOfTests(t, "manifest=a")
	mustRun(t, modelRun(out, first)...)
	for _, c := range []struct{ faults, later, beside string }{
		{"manifest=a batch=32", "(only the batch differs: 16 there, 32 here)", "two of this name differ in batch 16 and 32"},
		{"manifest=b", "(the manifest differs: ", `two of this name differ in runtime "a" and "b"`},
		{"manifest=a salt=x", "(only the answers to the fixed positions differ", "have the same manifest, and only the answers to the fixed positions differ"},
	} {
		other := modelOfTests(t, c.faults)
		mustStop(t, selfplay("", modelRun(out, "--games", "30", other)...), 5, c.later)
		mustStop(t, selfplay("", modelRun(out, "--games", "30", "--dry-run", other)...), 5, c.later)
		mustStop(t, export("verify", "--regenerate", other, out), 2, c.later)
		mustStop(t, selfplay("", modelRun(out+"2", first, other)...), 2, c.beside)
	}
}

// TestApproximateModelsAreNamedInPlanAndCard.
func TestApproximateModelsAreNamedInPlanAndCard(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	mustRun(t, modelRun(out, "--approximate", "--workers", "4", modelOfTests(t, "neighbours"))...)
	files := tree(t, out)
	if !strings.Contains(files["plan.json"], `"approximate": true`) || !strings.Contains(files["README.md"], "need not give the same bytes") {
		t.Error(files["README.md"])
	}
}

// TestApproximateModelsGoOn if their answers to the fixed positions hardly differ from those of the model that began the
// dataset; a model with other answers is refused before anything is written, though its manifest is the same.
func TestApproximateModelsGoOn(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	run := func(games, faults string) outcome {
		return selfplay("", modelRun(out, "--games", games, "--approximate", "--workers", "4", modelOfTests(t, faults))...)
	}
	mustStop(t, run("12", "wobbles=100"), 0, "")
	before := tree(t, out)
	must.Get(os.Stat(filepath.Join(out, ".selfplay", "answers", "mine.json")))(t)
	mustStop(t, run("24", "wobbles=-100 salt=other"), 5, "evaluator mine: it does not answer as the one that began the dataset: fixed position 0 has ")
	mustStop(t, run("24", "wobbles=2000"), 5, "the models are not the same")
	if after := tree(t, out); !maps.Equal(after, before) {
		t.Error("a refused run changed the dataset")
	}
	mustStop(t, run("24", "wobbles=-100"), 0, "")
	mustRun(t, "verify", "--deep", out)
	mustStop(t, selfplay("", "verify", "--regenerate", out, modelOfTests(t, "")), 2, "evaluator mine is approximate: its games come out differently when they are played again: use --deep")
}

// TestFailingModelsStopARun, which the same command resumes with a model that works.
func TestFailingModelsStopARun(t *testing.T) {
	for fault, want := range map[string]string{
		"exits=0":     "2 failures",
		"closes=200":  "",
		"refuses=200": `position "`,
		"hangs=200":   "",
	} {
		out := filepath.Join(t.TempDir(), "out")
		o := selfplay("", modelRun(out, modelOfTests(t, fault), "--evaluator-timeout", "300ms")...)
		switch {
		case fault == "exits=0":
			mustStop(t, o, 2, "3 failures without an answer: it ended before an answer")
			continue
		case fault == "refuses=200":
			mustStop(t, o, 3, want)
		case o.code != 0: // each start answers 200 batches
			t.Errorf("%s: %+v", fault, o)
		}
		mustRun(t, modelRun(out, modelOfTests(t, ""))...)
		mustExport(t, "verify", "--deep", out)
	}
}

// TestModelThatChangesDuringARunIsNoticed: an evaluator that is started again answers the fixed positions first. Games
// of two models never come into one dataset.
func TestModelThatChangesDuringARunIsNoticed(t *testing.T) {
	for flag, want := range map[string]string{
		"--workers=4":   "evaluator mine: it is another model than before: it answers the fixed positions otherwise",
		"--approximate": "evaluator mine: it is another model than before: fixed position ",
	} {
		out := filepath.Join(t.TempDir(), "out")
		o := selfplay("", modelRun(out, modelOfTests(t, "closes=200 learns="+filepath.Join(t.TempDir(), "mark")), flag)...)
		mustStop(t, o, 3, want)
		mustRun(t, modelRun(out, modelOfTests(t, ""), flag)...)
		mustExport(t, "verify", "--deep", out)
	}
}

// TestModelThatChangesInsideAConnectionIsNoticed: before a shard is committed, and when the run stops. Neither games nor
// journals of the changed model are left, and the same command with the right model makes the dataset.
func TestModelThatChangesInsideAConnectionIsNoticed(t *testing.T) {
	dir := t.TempDir()
	whole := filepath.Join(dir, "whole")
	mustRun(t, modelRun(whole, modelOfTests(t, ""))...)
	for _, c := range []struct{ name, drifts string }{{"first", "drifts=60"}, {"later", "drifts=200"}} {
		out := filepath.Join(dir, c.name)
		mustStop(t, selfplay("", modelRun(out, modelOfTests(t, c.drifts))...), 6, "evaluator mine: its model changed while it played")
		if journals, _ := filepath.Glob(filepath.Join(out, ".selfplay", "journal", "*.log")); len(journals) > 0 {
			t.Errorf("%s: journals %q are left", c.name, journals)
		}
		mustRun(t, modelRun(out, modelOfTests(t, ""))...)
		if !maps.Equal(tree(t, out), tree(t, whole)) {
			t.Errorf("%s: other bytes", c.name)
		}
	}
	out := filepath.Join(dir, "stopped")
	process, output := start(t, modelRun(out, modelOfTests(t, "drifts=60 slow=60"), "--grace", "10s")...)
	waitUntil(t, "journals", func() bool {
		journals, _ := filepath.Glob(filepath.Join(out, ".selfplay", "journal", "*.log"))
		return len(journals) > 0
	})
	must.Do(t, process.Process.Signal(os.Interrupt))
	if err := process.Wait(); process.ProcessState.ExitCode() != 6 {
		t.Errorf("stopped: %v: %s", err, output)
	}
	if journals, _ := filepath.Glob(filepath.Join(out, ".selfplay", "journal", "*.log")); len(journals) > 0 {
		t.Errorf("stopped: journals %q are left", journals)
	}
}

// TestStopsWhileAModelLoads: a signal and --stop-after end that too, and the same command begins again.
func TestStopsWhileAModelLoads(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	mustStop(t, selfplay("", modelRun(out, modelOfTests(t, "mute"), "--stop-after", "300ms")...), 3, "--stop-after 300ms while the models load; the same command resumes")
	loads := filepath.Join(t.TempDir(), "loads")
	loading := "--evaluator=mine=sh -c 'touch " + loads + "; sleep 60'"
	for _, line := range [][]string{modelRun(out, loading), {"bench", "--game", "contrast", "--player", "mcts:sims=5,eval=mine", loading}} {
		_ = os.Remove(loads)
		process, stderr := start(t, line...)
		waitUntil(t, "the model", func() bool {
			_, err := os.Stat(loads)
			return err == nil
		})
		must.Do(t, process.Process.Signal(os.Interrupt))
		if err := process.Wait(); process.ProcessState.ExitCode() != 3 {
			t.Errorf("%s: %v: %s", line[0], err, stderr)
		}
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("a run without a game leaves a folder")
	}
}

// TestImpossibleAddressesAreRefusedAtOnce: nothing can ever listen there.
func TestImpossibleAddressesAreRefusedAtOnce(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	must.Do(t, os.WriteFile(file, nil, 0o600))
	for address, want := range map[string]string{
		"tcp:127.0.0.1:99999":               "port 99999: want 1 to 65535",
		"unix:/" + strings.Repeat("a", 119): "the path has 120 bytes: a socket has at most 107",
		"unix:" + file:                      "is no socket",
	} {
		mustStop(t, selfplay("", modelRun(filepath.Join(t.TempDir(), "out"), "--evaluator=mine="+address)...), 2, want)
	}
}

// TestOtherCommandsAskModels: match, bench and rescore.
func TestOtherCommandsAskModels(t *testing.T) {
	text := mustRun(t, "match", "--game", "contrast", "--a", "mcts:sims=8,eval=mine", "--b", "greedy:eval=mine", "--games", "8", modelOfTests(t, ""))
	if !strings.Contains(text, "8 games") && !strings.Contains(text, "4 pairs") {
		t.Error(text)
	}
	mustRun(t, "bench", "--game", "contrast", "--player", "mcts:sims=4,eval=mine", "--seconds", "0.2", modelOfTests(t, ""))
	source, out := filepath.Join(t.TempDir(), "source"), filepath.Join(t.TempDir(), "out")
	mustRun(t, "run", "--game", "contrast", "--games", "12", "--shard-games", "3", "--player", "greedy", "--out", source)
	mustExport(t, "rescore", "--player", "mcts:sims=8,eval=mine", modelOfTests(t, ""), "--out", out, source)
	mustExport(t, "verify", "--deep", out)
	if !strings.Contains(tree(t, out)["plan.json"], `"fingerprint"`) {
		t.Error("the plan of the rescored dataset names no model")
	}
}
