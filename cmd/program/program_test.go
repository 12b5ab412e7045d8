package program

import (
	"bytes"
	"context"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"selfplay/cmd/internal/cmdtest"
	"selfplay/encode"
	"selfplay/internal/must"
	"selfplay/workers"
)

// outcome is the exit code and the output of the program.
type outcome struct {
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
	code := run(context.Background(), catalog, append([]string{"selfplay"}, args...), strings.NewReader(stdin), &stdout, &stderr)
	return outcome{code, stdout.String(), stderr.String()}
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
	if strings.Count(o.stderr, "\n") != 1 || !strings.HasPrefix(o.stderr, "selfplay: ") || !strings.HasSuffix(o.stderr, "\n") {
		t.Errorf("stderr is not one line of selfplay's: %q", o.stderr)
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
}

func TestTranscripts(t *testing.T) {
	cmdtest.Transcripts(t, "testdata/transcripts/*.txt", programs, func(t *testing.T, dir string) map[string]string {
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

// tree returns the files of a dataset that its readers see.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	return cmdtest.Tree(t, dir)
}

// mustEqual compares two datasets byte for byte.
func mustEqual(t *testing.T, got, want map[string]string) {
	t.Helper()
	cmdtest.MustEqual(t, got, want)
}
