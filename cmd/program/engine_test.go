package program

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"selfplay/cmd/internal/uci/ucitest"
	"selfplay/internal/must"
)

// engineWord makes the test binary a UCI engine: see TestMain.
const engineWord = "uci-engine-of-tests"

// fakeEngine returns a player that is the engine of the tests, with faults and parameters.
func fakeEngine(t *testing.T, faults string, params ...string) string {
	list := []string{"uci:path=" + must.Get(os.Executable())(t), "arg=" + engineWord}
	for _, f := range strings.Fields(faults) {
		list = append(list, "arg="+f)
	}
	return strings.Join(append(append(list, "nodes=100"), params...), ",")
}

// engineRun returns the command line of a run of the engine against itself.
func engineRun(out, player string, flags ...string) []string {
	line := []string{"run", "--game", "chess", "--games", "12", "--shard-games", "5", "--player", player, "--max-plies", "30", "--out", out}
	return append(line, flags...)
}

// TestDatasetOfAnEngineIsAFunctionOfPlanAndEngine: the same bytes for any number of workers, if the engine crashes now and
// then, and wherever it lies. The plan names the engine and its options, and no file of this machine.
func TestDatasetOfAnEngineIsAFunctionOfPlanAndEngine(t *testing.T) {
	out := filepath.Join(t.TempDir(), "one")
	mustRun(t, engineRun(out, fakeEngine(t, "", "option.Hash=1"), "--workers", "1")...)
	want := tree(t, out)
	plan := want["plan.json"]
	for _, text := range []string{`"spec": "uci:name=fake_1_0,nodes=100,option.Hash=1"`, `"engine": "Fake 1.0"`} {
		if !strings.Contains(plan, text) {
			t.Errorf("no %s in %s", text, plan)
		}
	}
	if strings.Contains(plan, engineWord) || !strings.Contains(want["README.md"], "## Engines") {
		t.Errorf("%s\n%s", plan, want["README.md"])
	}
	for _, flags := range [][]string{
		{"--player", fakeEngine(t, "", "option.Hash=1", "timeout=9"), "--workers", "2"},
		{"--player", fakeEngine(t, "exits=150", "option.Hash=1"), "--workers", "2"},
		{"--player", "uci:name=fake_1_0,nodes=100,option.Hash=1", "--evaluator", "fake_1_0=" + must.Get(os.Executable())(t) + " " + engineWord},
	} {
		other := filepath.Join(t.TempDir(), "other")
		mustRun(t, append(engineRun(other, flags[1]), flags[2:]...)...)
		if !maps.Equal(tree(t, other), want) {
			t.Errorf("%q: other bytes", flags)
		}
	}
}

// TestKilledRunsOfAnEngineGoOn with the bytes of an undisturbed run, from the journals, and leave no engine.
func TestKilledRunsOfAnEngineGoOn(t *testing.T) {
	dir := t.TempDir()
	whole, killed, pids := filepath.Join(dir, "whole"), filepath.Join(dir, "killed"), filepath.Join(dir, "pids")
	searches := func(name string) int { return len(readText(filepath.Join(dir, name))) }
	mustRun(t, engineRun(whole, fakeEngine(t, "searches="+filepath.Join(dir, "a")))...)
	const kills, workers, fixed = 4, 2, 64
	for range kills {
		enough := searches("b") + fixed + 60
		process, _ := start(t, engineRun(killed, fakeEngine(t, "slow=10 pids="+pids+" searches="+filepath.Join(dir, "b")), "--workers", "2")...)
		waitUntil(t, "searches", func() bool { return searches("b") >= enough })
		must.Do(t, process.Process.Kill())
		_ = process.Wait() // killed
	}
	mustRun(t, engineRun(killed, fakeEngine(t, "searches="+filepath.Join(dir, "b")))...)
	mustEqual(t, tree(t, killed), tree(t, whole))
	if all, most := searches("b"), searches("a")+kills*(fixed+workers); all > most {
		t.Errorf("%d searches, want at most %d", all, most)
	}
	ucitest.MustEnd(t, pids)
}

// TestRescoringByAnEngineThatPlayedChangesNothing: it sees each position with its history, and forgets what it has searched.
func TestRescoringByAnEngineThatPlayedChangesNothing(t *testing.T) {
	dir := t.TempDir()
	played, again, other := filepath.Join(dir, "played"), filepath.Join(dir, "again"), filepath.Join(dir, "other")
	mustRun(t, engineRun(played, fakeEngine(t, ""), "--opening-plies", "0")...)
	mustExport(t, "rescore", "--player", fakeEngine(t, ""), "--workers", "1", "--out", again, played)
	mustExport(t, "rescore", "--player", fakeEngine(t, "exits=200"), "--workers", "2", "--out", other, played)
	mustEqual(t, tree(t, other), tree(t, again))
	if rows := func(dir string) string { return mustRun(t, "head", "--rows", "40", "--json", dir) }; rows(again) != rows(played) {
		t.Error("other scores")
	}
	mustExport(t, "verify", "--deep", again)
}

// TestEnginesAreRefused before anything is written, and what needs no engine does without.
func TestEnginesAreRefused(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	mustRun(t, engineRun(out, fakeEngine(t, ""))...)
	want := tree(t, out)
	exe := must.Get(os.Executable())(t)
	flag := "--evaluator=fake_1_0=" + exe + " " + engineWord
	for _, c := range []struct {
		code int
		text string
		line []string
	}{
		{5, "evaluator fake_1_0: fingerprint ", engineRun(out, fakeEngine(t, "salt=other"), "--games", "20")},
		{5, "uci:name=fake_2_0", engineRun(out, fakeEngine(t, "id=Fake_2.0"), "--games", "20")},
		{5, "option.Hash=2", engineRun(out, fakeEngine(t, "", "option.Hash=2"), "--games", "20")},
		{2, "when it is asked again: want an engine and options that repeat themselves", engineRun(out+"2", fakeEngine(t, "remembers"))},
		{2, "it reports no scores", engineRun(out+"2", fakeEngine(t, "scoreless"))},
		{2, "it exited before bestmove: exit status 3 (stderr: assertion failed)", engineRun(out+"2", fakeEngine(t, "exits=3"))},
		{2, "games limited by time cannot be repeated", engineRun(out+"2", fakeEngine(t, "", "movetime=5"))},
		{2, "an engine plays on one thread", engineRun(out+"2", fakeEngine(t, "", "option.Threads=2"))},
		{2, "want --evaluator fake_1_0='COMMAND'", engineRun(out, "uci:name=fake_1_0,nodes=100")},
		{2, "flag --approximate is for models", engineRun(out+"2", "uci:name=fake_1_0,nodes=100", flag, "--approximate")},
		{2, "two of this name have other options", engineRun(out+"2", "0.5*"+fakeEngine(t, "")+"+0.5*"+fakeEngine(t, "salt=x"))},
		{2, "UCI engines play chess only", []string{"run", "--game", "contrast", "--games", "2", "--player", fakeEngine(t, ""), "--out", out + "2"}},
		{2, "no evaluator has the name fake_1_0", []string{"replay", "--game-index", "2", out}},
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
	mustExport(t, "verify", "--regenerate", flag, out)
	mustRun(t, "replay", "--game-index", "2", flag, out)
	mustStop(t, export("verify", "--regenerate", out), 2, "no evaluator has the name fake_1_0")
	mustStop(t, export("verify", "--regenerate", flag+" salt=other", out), 2, "another engine played the games")
}

// TestFailingEnginesStopARun, which the same command resumes with an engine that works.
func TestFailingEnginesStopARun(t *testing.T) {
	for fault, want := range map[string]string{
		"illegal=40": `bestmove "e9e9" in `,
		"games":      "3 failures without an answer: it exited before bestmove: exit status 3 (stderr: assertion failed)",
		"hangs=60":   "", // each process answers 60 searches
	} {
		out := filepath.Join(t.TempDir(), "out")
		o := selfplay("", engineRun(out, fakeEngine(t, fault, "timeout=1"))...)
		if want != "" {
			mustStop(t, o, 3, want)
		} else if o.code != 0 || !strings.Contains(o.stderr, "no bestmove within 1s: asking again") {
			t.Errorf("%s: %+v", fault, o)
		}
		mustRun(t, engineRun(out, fakeEngine(t, ""))...)
		mustExport(t, "verify", "--deep", out)
	}
}

// TestEngineThatChangesDuringARunIsNoticed: its answers to the fixed positions decide, not its name.
func TestEngineThatChangesDuringARunIsNoticed(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	o := selfplay("", engineRun(out, fakeEngine(t, "exits=60 learns="+filepath.Join(t.TempDir(), "mark")))...)
	mustStop(t, o, 3, "it is another engine than before: it answers the fixed positions otherwise")
}

// TestEnginesOfFlagsPlayMatches.
func TestEnginesOfFlagsPlayMatches(t *testing.T) {
	line := []string{"match", "--game", "chess", "--a", "uci:name=fake_1_0,nodes=10", "--b", "random", "--games", "4", "--max-plies", "20"}
	flag := "--evaluator=fake_1_0=" + must.Get(os.Executable())(t) + " " + engineWord
	mustRun(t, append(line, flag)...)
	mustStop(t, selfplay("", append(line, flag, flag)...), 2, "2 commands have the name fake_1_0: an engine has one")
	mustStop(t, selfplay("", line...), 2, "no evaluator has the name fake_1_0")
}

// TestMixturesOfEngines.
func TestMixturesOfEngines(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	mustRun(t, engineRun(out, "0.5*ab:depth=1 + 0.5*"+fakeEngine(t, ""))...)
	mustExport(t, "verify", "--regenerate", "--evaluator=fake_1_0="+must.Get(os.Executable())(t)+" "+engineWord, out)
}

// TestAPGNCollectionIsLabelledByTwoCommands: import and rescore.
func TestAPGNCollectionIsLabelledByTwoCommands(t *testing.T) {
	dir := t.TempDir()
	pgn, games, labelled := filepath.Join(dir, "games.pgn"), filepath.Join(dir, "games"), filepath.Join(dir, "labelled")
	must.Do(t, os.WriteFile(pgn, []byte("[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 1-0\n"), 0o600))
	mustExport(t, "import", "--format", "pgn", "--out", games, pgn)
	mustExport(t, "rescore", "--player", fakeEngine(t, ""), "--out", labelled, games)
	mustExport(t, "verify", "--deep", labelled)
	rows := mustRun(t, "head", "--rows", "9", "--json", labelled)
	if strings.Count(rows, `"searched":true`) != 6 || !strings.Contains(tree(t, labelled)["plan.json"], `"rescore=uci:name=fake_1_0,nodes=100 v1 where=all"`) {
		t.Error(rows)
	}
}

// TestPlayerOverUCIPlaysTheSameGames: a match against this program as an engine has the
// result and the nodes of a match without the detour, from drawn openings and from a book.
func TestPlayerOverUCIPlaysTheSameGames(t *testing.T) {
	t.Setenv("TEST_SELFPLAY_MAIN", "1") // the test binary is selfplay
	exe := must.Get(os.Executable())(t)
	book := t.TempDir() + "/book"
	must.Do(t, os.WriteFile(book, []byte("r3k2r/pppq1ppp/8/8/8/8/PPPQ1PPP/R3K2R b KQkq - 3 20\n8/P6k/8/8/8/8/p6K/8 w - - 0 1\n"), 0o600))
	engine := "uci:path=" + exe + ",arg=uci,depth=2,option.Player=ab:depth=1"
	for _, opening := range []string{"--opening-plies=4-10", "--book=" + book} {
		var direct, over matchResult
		args := []string{"match", "--game", "chess", "--a", "ab:depth=1", "--games", "12", "--max-plies", "150", "--json", opening, "--b"}
		readAnswers(t, mustRun(t, append(args, "ab:depth=2")...), &direct)
		readAnswers(t, mustRun(t, append(args, engine)...), &over)
		if over.B != engine || over.CPUB <= 0 {
			t.Errorf("%+v", over)
		}
		if over.B = direct.B; over.withoutTimes() != direct.withoutTimes() {
			t.Errorf("%s: over UCI %+v, want %+v", opening, over, direct)
		}
	}
}

func TestFailureOfAnEngineEndsTheMatch(t *testing.T) {
	exe := must.Get(os.Executable())(t)
	args := []string{"match", "--quiet", "--game", "chess", "--a", "random", "--games", "4", "--workers", "1", "--b"}
	o := selfplay("", append(args, "uci:path="+exe+",arg=-test.run=^$,nodes=1")...)
	mustRefuse(t, o, 1, "play game 0 of seed 1: UCI engine "+exe+": it exited before uciok")
}

func TestUCICommand(t *testing.T) {
	o := selfplay("uci\nposition startpos moves e2e4\ngo depth 1\n", "uci", "--player", "ab:depth=2,net=none", "--seed", "3")
	for _, want := range []string{"id name selfplay ", "option name Player type string default ab:depth=2,net=none\n", "Seed type spin default 3 ", "uciok\ninfo depth 1 score cp ", "\nbestmove "} {
		if o.code != 0 || o.stderr != "" || !strings.Contains(o.stdout, want) {
			t.Errorf("%+v, want %q", o, want)
		}
	}
}
