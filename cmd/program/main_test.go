package program

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"selfplay/cmd/internal/cmdtest"
	"selfplay/cmd/internal/evaluator/evaluatortest"
	"selfplay/cmd/internal/uci/ucitest"
	"selfplay/encode"
	"selfplay/internal/must"
	"selfplay/workers"
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
		if filepath.Base(os.Args[0]) == "export" {
			Export(catalog.Games, catalog.Players)
		}
		Main(catalog.Games, catalog.Players)
	}
	debug.SetGCPercent(400) // each of thousands of commands allocates large buffers for a few rows
	os.Setenv("GOGC", "400")
	cmdtest.TempInMemory()
	code := m.Run()
	if dir, err := sharedDir(); err == nil {
		os.RemoveAll(dir)
	}
	os.Exit(code)
}

// outcome is the exit code and the output of a program.
type outcome struct {
	program        string
	code           int
	stdout, stderr string
}

// catalog are the games and players of this module.
var catalog = workers.Catalog{Games: encode.Games(), Players: workers.PlayerTypes()}

// selfplay runs the program.
func selfplay(stdin string, args ...string) outcome { return selfplayOf(catalog, stdin, args...) }

// selfplayOf runs the program with a catalog.
func selfplayOf(catalog workers.Catalog, stdin string, args ...string) outcome {
	var stdout, stderr bytes.Buffer
	code := runSelfplay(context.Background(), catalog, append([]string{"selfplay"}, args...), strings.NewReader(stdin), &stdout, &stderr)
	return outcome{"selfplay", code, stdout.String(), stderr.String()}
}

// mustRefuse checks the exit code, and that the only output is one line on stderr that
// contains want.
func mustRefuse(t *testing.T, o outcome, code int, want string) {
	t.Helper()
	if o.code != code {
		t.Errorf("exit code %d, want %d", o.code, code)
	}
	if o.stdout != "" {
		t.Errorf("stdout is not empty: %q", o.stdout)
	}
	if strings.Count(o.stderr, "\n") != 1 || !strings.HasPrefix(o.stderr, o.program+": ") || !strings.HasSuffix(o.stderr, "\n") {
		t.Errorf("stderr is not one line of %s: %q", o.program, o.stderr)
	}
	if !strings.Contains(o.stderr, want) {
		t.Errorf("stderr is %q, want %q in it", o.stderr, want)
	}
}

func TestVersionAndHelp(t *testing.T) {
	for _, args := range []string{"--version", "--help", "help", "help run", "run --help", "moves --help"} {
		o := selfplay("", strings.Fields(args)...)
		if o.code != 0 || !strings.Contains(o.stdout, "selfplay") || o.stderr != "" {
			t.Errorf("%s: %+v", args, o)
		}
	}
}

// TestGamesCommandPrintsTables that the Python package reads.
func TestGamesCommandPrintsTables(t *testing.T) {
	for _, g := range encode.Games() {
		want, err := g.Table()
		if got := mustRun(t, "games", "--table", g.Name); err != nil || got != string(want) {
			t.Errorf("%s: %v, %.100q", g.Name, err, got)
		}
	}
}

// programs are those of transcripts.
var programs = map[string]cmdtest.Program{
	"selfplay": func(args ...string) cmdtest.Outcome {
		o := selfplay("", args...)
		return cmdtest.Outcome{Code: o.code, Stdout: o.stdout, Stderr: o.stderr}
	},
	"export": func(args ...string) cmdtest.Outcome {
		o := export(args...)
		return cmdtest.Outcome{Code: o.code, Stdout: o.stdout, Stderr: o.stderr}
	},
}

func TestTranscripts(t *testing.T) {
	cmdtest.Transcripts(t, "testdata/transcripts/selfplay/*.txt", programs, func(t *testing.T, dir string) map[string]string {
		for _, name := range indexVariables {
			t.Setenv(name, "")
		}
		nets := filepath.Join(dir, "nets")
		os.Mkdir(nets, 0o755)
		other, _ := writeNetwork(t, nets, "contrast", 2)
		os.Rename(other, filepath.Join(nets, "other.safetensors"))
		writeNetwork(t, nets, "chess", 1)
		_, sum := writeNetwork(t, nets, "contrast", 1)
		busy := must.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
		t.Cleanup(func() { busy.Close() })
		return map[string]string{"SUM": sum, "BUSY": busy.Addr().String()}
	})
}

var (
	tree      = cmdtest.Tree
	mustEqual = cmdtest.MustEqual
)

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

// waitFor waits until a file exists.
func waitFor(t *testing.T, name string) {
	t.Helper()
	waitUntil(t, name, func() bool { _, err := os.Stat(name); return err == nil })
}

// waitForShards waits until a dataset has n shards.
func waitForShards(t *testing.T, out string, n int) {
	t.Helper()
	waitUntil(t, fmt.Sprintf("%d shards", n), func() bool {
		records, _ := filepath.Glob(filepath.Join(out, ".selfplay", "commits", "*.json"))
		return len(records) >= n
	})
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

// mustRun runs the program, which must exit with 0, and returns its stdout.
func mustRun(t *testing.T, args ...string) string {
	t.Helper()
	o := selfplay("", args...)
	if o.code != 0 {
		t.Fatalf("%q: exit code %d, stderr %s", args, o.code, o.stderr)
	}
	return o.stdout
}
