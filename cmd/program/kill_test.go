package program

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"selfplay/internal/must"
)

// readText returns the text of a file, or nothing.
func readText(name string) string {
	data, _ := os.ReadFile(name)
	return string(data)
}

// longRun returns the arguments of a run that makes shards for some seconds.
func longRun(out string) []string {
	games := 400
	if testing.Short() || watched { // it takes as long with the race detector
		games = 200
	}
	return []string{"run", "--game", "cotulenh", "--player", "random", "--games", fmt.Sprint(games), "--shard-games", "10", "--out", out}
}

// wholeLongRun returns the dataset of an undisturbed long run.
var wholeLongRun = shared(func(t *testing.T, dir string) { mustRun(t, longRun(dir)...) })

// everyKind is a short run of each kind of player. The last one also has an opening,
// exploration and adjudication. Some players keep state from game to game.
var everyKind = []struct{ name, flags string }{
	{"random", "--game cotulenh --games 100 --shard-games 10 --player random"},
	{"random on Contrast, as Arrow", "--game contrast --games 200 --shard-games 20 --format arrow --player random"},
	{"greedy", "--game chess --games 30 --shard-games 3 --player greedy"},
	{"ab by depth", "--game chess --games 20 --shard-games 2 --player ab:depth=1,multi=3,temp=50"},
	{"ab by nodes with a table", "--game contrast --games 20 --shard-games 2 --player ab:nodes=150,hash=1"},
	{"ab that keeps its table", "--game chess --games 20 --shard-games 2 --max-plies 60 --player ab:depth=2,nodes=2000,hash=1"},
	{"mcts", "--game contrast --games 20 --shard-games 2 --player mcts:sims=16,temp=1,noise=0.25"},
	{"mixture, opened, explored and adjudicated", "--game cotulenh --games 20 --shard-games 2 --max-plies 80" +
		" --player-first 0.5*random+0.5*ab:depth=1,multi=3 --player-second mcts:sims=16,rollout=2" +
		" --opening-plies 2-6 --opening-max-score 300 --explore-moves 3 --explore-plies 0-9 --explore-among 3" +
		" --adjudicate-win 400,3 --adjudicate-draw 20,6,20 --play-out 0.3"},
}

// TestRunSurvivesKills: a run that is killed several times, each time with another number
// of workers, ends with the same bytes as an undisturbed run, for every kind of player.
func TestRunSurvivesKills(t *testing.T) {
	for _, c := range everyKind {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			mustSurviveKills(t, func(out string, workers int) []string {
				return append([]string{"run", "--out", out, "--workers", fmt.Sprint(workers)}, strings.Fields(c.flags)...)
			}, 0, 1, 3, 6)
		})
	}
}

// mustSurviveKills checks that a command makes the same bytes if it is killed several times, each
// time at another number of shards and with another number of workers.
func mustSurviveKills(t *testing.T, line func(out string, workers int) []string, shards ...int) {
	t.Helper()
	dir := t.TempDir()
	whole, killed := filepath.Join(dir, "whole"), filepath.Join(dir, "killed")
	mustApart(t, line(whole, 3)...)
	hit := 0
	for workers, n := range shards {
		process, _ := start(t, line(killed, 1+workers)...)
		waitForShards(t, killed, n)
		process.Process.Kill()
		if process.Wait() != nil {
			hit++
		}
	}
	if hit == 0 {
		t.Error("every run was over before it was killed")
	}
	mustApart(t, line(killed, 2)...)
	mustEqual(t, tree(t, killed), tree(t, whole))
}

// mustApart runs the program in a process of its own, which must exit with 0.
func mustApart(t *testing.T, args ...string) {
	t.Helper()
	process, stderr := start(t, args...)
	if err := process.Wait(); err != nil {
		t.Fatalf("%q: %v, stderr %s", args, err, stderr)
	}
}

func TestRunStopsAtASignal(t *testing.T) {
	whole, stopped := wholeLongRun(t), filepath.Join(t.TempDir(), "stopped")
	for _, signal := range []os.Signal{syscall.SIGTERM, os.Interrupt} {
		os.RemoveAll(stopped)
		process, stderr := start(t, longRun(stopped)...)
		waitForShards(t, stopped, 2)
		process.Process.Signal(signal)
		var exit *exec.ExitError
		if err := process.Wait(); !errors.As(err, &exit) || exit.ExitCode() != 3 {
			t.Fatalf("%v: %v, want exit code 3; stderr %s", signal, err, stderr)
		}
		if last := lastLine(stderr.String()); !strings.HasPrefix(last, "selfplay: stopped before the target") {
			t.Errorf("%v: the last line is %q", signal, last)
		}
		waitForShards(t, stopped, 2)
		mustRefuse(t, selfplay("", "finalize", stopped), 3, "missing shards, by number: ")
		if hasGap(t, stopped) { // shards are committed in any order
			mustRefuse(t, selfplay("", "finalize", "--as-it-stands", stopped), 3, "missing shards, by number: ")
		} else {
			mustRun(t, "finalize", "--as-it-stands", stopped)
		}
		mustRun(t, longRun(stopped)...)
		mustEqual(t, tree(t, stopped), tree(t, whole))
	}
}

// hasGap reports whether a shard is missing below a committed one.
func hasGap(t *testing.T, out string) bool {
	t.Helper()
	commits, err := filepath.Glob(filepath.Join(out, ".selfplay", "commits", "*.json"))
	if err != nil || len(commits) == 0 {
		t.Fatalf("%d commit records, %v", len(commits), err)
	}
	slices.Sort(commits)
	return filepath.Base(commits[len(commits)-1]) != fmt.Sprintf("%05d.json", len(commits)-1)
}

// TestSecondSignalEndsAtOnce also when a shell has started the process with SIGINT ignored,
// as it does for background processes of a script.
func TestSecondSignalEndsAtOnce(t *testing.T) {
	for signal, want := range map[syscall.Signal]int{syscall.SIGTERM: 143, syscall.SIGINT: 130} {
		dir := t.TempDir()
		out := filepath.Join(dir, "out")
		process := newProcess(t, []string{"sh", "-c", `trap "" INT; exec "$0" "$@"`},
			"run", "--game", "chess", "--games", "4", "--player", "ab:nodes=4000000000", "--grace", "10m", "--out", out)
		stderr := must.Get(os.Create(filepath.Join(dir, "stderr")))(t)
		process.Stderr = stderr
		must.Do(t, process.Start())
		t.Cleanup(func() { process.Process.Kill() })
		waitForGames(t, out)
		process.Process.Signal(signal)
		waitUntil(t, "answer to the first signal", func() bool { return strings.Contains(readText(stderr.Name()), "msg=stopping") })
		process.Process.Signal(signal)
		asked := time.Now()
		if code := processCode(process.Wait()); code != want || time.Since(asked) > time.Minute {
			t.Errorf("%v twice: exit code %d after %v, want %d at once; stderr %s", signal, code, time.Since(asked), want, readText(stderr.Name()))
		}
		stderr.Close()
	}
}

func TestRunRefusesALockedDataset(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	args := []string{"run", "--game", "cotulenh", "--player", "random", "--games", "1000000", "--shard-games", "20", "--out", out}
	process, _ := start(t, args...)
	waitForShards(t, out, 1)
	mustRefuse(t, selfplay("", args...), 11, fmt.Sprintf("locked by process %d", process.Process.Pid))
}

func lastLine(text string) string {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	return lines[len(lines)-1]
}

// TestImportSurvivesKills: an import that is killed several times ends with the same bytes as
// an undisturbed one.
func TestImportSurvivesKills(t *testing.T) {
	dir := t.TempDir()
	played, file := filepath.Join(dir, "played"), filepath.Join(dir, "games.jsonl")
	mustRun(t, "run", "--quiet", "--game", "contrast", "--player", "random", "--games", "800", "--out", played)
	must.Do(t, os.WriteFile(file, []byte(mustRun(t, "convert", "--quiet", "--format", "moves", "--out", "-", played)), 0o644))
	mustSurviveKills(t, func(out string, _ int) []string {
		return []string{"import", "--quiet", "--format", "moves", "--game", "contrast", "--shard-games", "20", "--out", out, file}
	}, 0, 1, 10, 20)
}

// TestRescoreSurvivesKills: a rescoring that is killed several times, each time with another
// number of workers, ends with the same bytes as an undisturbed one, and keeps the games that
// it finished.
func TestRescoreSurvivesKills(t *testing.T) {
	for _, player := range []string{"ab:nodes=150,hash=1", "mcts:sims=12,noise=0.25"} {
		played := filepath.Join(t.TempDir(), "played")
		mustRun(t, "run", "--quiet", "--game", "contrast", "--player", "random", "--games", "24", "--shard-games", "2", "--out", played)
		mustSurviveKills(t, func(out string, workers int) []string {
			return []string{"rescore", "--quiet", "--player", player, "--deblunder", "10", "--new-model", "130,364", "--workers", fmt.Sprint(workers), "--out", out, played}
		}, 0, 1, 3, 6)
	}
}

// TestMixSurvivesKills: a mix that is killed leaves no output under its name, and the same
// command gives the bytes of an undisturbed one.
func TestMixSurvivesKills(t *testing.T) {
	dir := t.TempDir()
	for seed := 1; seed <= 2; seed++ {
		mustRun(t, "run", "--quiet", "--game", "contrast", "--player", "random", "--games", "1500", "--shard-games", "100", "--seed", fmt.Sprint(seed), "--out", filepath.Join(dir, fmt.Sprint(seed)))
	}
	line := func(out string) []string {
		weights := fmt.Sprintf("%s=0.6,%s=0.4", filepath.Join(dir, "1"), filepath.Join(dir, "2"))
		return []string{"mix", "--quiet", "--weights", weights, "--out", filepath.Join(dir, out)}
	}
	mustRun(t, line("whole")...)
	killed := filepath.Join(dir, "killed")
	process, _ := start(t, line("killed")...)
	waitFor(t, killed+".partial")
	process.Process.Kill()
	if process.Wait() == nil {
		t.Skip("the mix was over before it was killed")
	}
	if _, err := os.Stat(killed); err == nil {
		t.Fatal("a killed mix left an output")
	}
	mustRun(t, line("killed")...)
	mustEqual(t, tree(t, killed), tree(t, filepath.Join(dir, "whole")))
}
