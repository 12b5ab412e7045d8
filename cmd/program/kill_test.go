package program

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"selfplay/cmd/internal/cmdtest"
	"selfplay/cmd/internal/evaluator/evaluatortest"
	"selfplay/cmd/internal/export"
	"selfplay/cmd/internal/uci/ucitest"
	"selfplay/internal/must"
)

// TestMain lets the test binary act as the program, or as export if it has that name, so
// that tests can kill it; or as an evaluator or a UCI engine.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == modelWord {
		if err := evaluatortest.Serve(strings.Join(os.Args[2:], " "), os.Stdin, os.Stdout); err != nil {
			os.Exit(1)
		}
		return
	}
	if len(os.Args) > 1 && os.Args[1] == engineWord {
		if err := ucitest.Serve(strings.Join(os.Args[2:], " "), os.Stdin, os.Stdout); err != nil {
			os.Exit(1)
		}
		return
	}
	if os.Getenv("TEST_SELFPLAY_MAIN") != "" {
		if filepath.Base(os.Args[0]) == export.Name {
			Export(catalog.Games, catalog.Players)
		}
		Main(catalog.Games, catalog.Players)
	}
	cmdtest.TempInMemory()
	code := m.Run()
	if dir, err := sharedDir(); err == nil {
		os.RemoveAll(dir)
	}
	os.Exit(code)
}

// sharedDir holds the datasets that several tests read.
var sharedDir = sync.OnceValues(func() (string, error) { return os.MkdirTemp("", "selfplay-test") })

// shared returns the directory of a dataset that is made once, when a test first asks for it.
func shared(build func(t *testing.T, dir string)) func(t *testing.T) (dir string) {
	var once sync.Once
	var made string
	return func(t *testing.T) string {
		t.Helper()
		once.Do(func() {
			dir := filepath.Join(must.Get(os.MkdirTemp(must.Get(sharedDir())(t), ""))(t), "set")
			build(t, dir)
			made = dir
		})
		if made == "" {
			t.Fatal("the shared dataset could not be made")
		}
		return made
	}
}

// start starts the program as a process of its own.
func start(t *testing.T, args ...string) (process *exec.Cmd, stderr *strings.Builder) {
	t.Helper()
	return startIn(t, nil, args...)
}

// startIn starts the program through another one, which gets it as its last arguments.
func startIn(t *testing.T, shell []string, args ...string) (process *exec.Cmd, stderr *strings.Builder) {
	t.Helper()
	process, stderr = newProcess(t, shell, args...), new(strings.Builder)
	process.Stderr = stderr
	must.Do(t, process.Start())
	t.Cleanup(func() { process.Process.Kill() })
	return process, stderr
}

// newProcess returns the program as a process that has not started. A shell gets it as its last
// arguments.
func newProcess(t *testing.T, shell []string, args ...string) *exec.Cmd {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("there are no signals to send on Windows")
	}
	exe := must.Get(os.Executable())(t)
	line := slices.Concat(shell, []string{exe}, args)
	process := exec.Command(line[0], line[1:]...)
	process.Env = append(os.Environ(), "TEST_SELFPLAY_MAIN=1")
	return process
}

// waitUntil waits for something to happen.
func waitUntil(t *testing.T, what string, happened func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !happened(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("no %s after a minute", what)
		}
	}
}

// waitForShards waits until a dataset has n shards.
func waitForShards(t *testing.T, out string, n int) {
	t.Helper()
	waitUntil(t, fmt.Sprintf("%d shards", n), func() bool {
		records, _ := filepath.Glob(filepath.Join(out, ".selfplay", "commits", "*.json"))
		return len(records) >= n
	})
}

// waitFor waits until a file exists.
func waitFor(t *testing.T, name string) {
	t.Helper()
	waitUntil(t, name, func() bool { _, err := os.Stat(name); return err == nil })
}

// waitForGames waits until the first games of a run are under way: some time of the process has passed since it
// opened a shard.
func waitForGames(t *testing.T, out string) {
	t.Helper()
	heartbeat := func() string {
		names, _ := filepath.Glob(filepath.Join(out, ".selfplay", "runs", "*.json"))
		return readText(append(names, "none")[0])
	}
	waitUntil(t, "open shard", func() bool {
		names, _ := filepath.Glob(filepath.Join(out, ".selfplay", "tmp", "*.parquet"))
		return len(names) > 0
	})
	before := heartbeat()
	waitUntil(t, "next heartbeat", func() bool { return heartbeat() != before })
}

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
		if code := exitCode(process.Wait()); code != want || time.Since(asked) > 5*time.Second {
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
