package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"

	"selfplay/datasets"
	"selfplay/datasets/plan"
	"selfplay/encode"
	"selfplay/internal/must"
	"selfplay/internal/release"
)

func TestCode(t *testing.T) {
	stopped, stop := context.WithCancelCause(context.Background())
	signal := errors.New("interrupt signal received")
	stop(signal)
	for _, c := range []struct {
		ctx  context.Context
		err  error
		want int
	}{
		{context.Background(), nil, 0},
		{stopped, nil, 0}, // the work was done before the signal
		{context.Background(), errors.New("disk full"), 1},
		{stopped, errors.New("disk full"), 1},
		{context.Background(), context.Canceled, 1},
		{context.Background(), Usage("no"), 2},
		{context.Background(), fmt.Errorf("open: %w", datasets.ErrNotDataset), 2},
		{context.Background(), fmt.Errorf("open: %w", datasets.ErrUnsupported), 2},
		{context.Background(), &fs.PathError{Op: "mkdir", Path: "/", Err: fs.ErrPermission}, 2},
		{context.Background(), datasets.ErrIncomplete, 3},
		{stopped, context.Canceled, 3},
		{stopped, signal, 3},
		{context.Background(), fmt.Errorf("verify: %w", ErrDamaged), 4},
		{context.Background(), &datasets.PlanError{}, 5},
		{context.Background(), fmt.Errorf("commit: %w", datasets.ErrNondeterminism), 6},
		{context.Background(), &datasets.LockError{}, 11},
	} {
		if got := code(c.ctx, c.err); got != c.want {
			t.Errorf("%v: exit code %d, want %d", c.err, got, c.want)
		}
	}
}

func TestDamagedSaysWhatToRun(t *testing.T) {
	c := cli.NewContext(&cli.App{Name: "selfplay"}, nil, nil)
	damage := fmt.Errorf("read plan.json: %w", datasets.ErrCorrupt)
	if got, want := ExplainDamage(c, "d", damage), "read plan.json: corrupt: run selfplay verify d for details, selfplay export repair d to remove the damage"; got.Error() != want || !errors.Is(got, datasets.ErrCorrupt) {
		t.Errorf("%q, want %q", got, want)
	}
	for _, other := range []error{nil, datasets.ErrNoSpace} {
		if got := ExplainDamage(c, "d", other); got != other {
			t.Errorf("%v of %v", got, other)
		}
	}
}

func TestDebugVariableShowsTheStackOfAPanic(t *testing.T) {
	t.Setenv(DebugVariable, "1")
	if _, _, stderr := runTest("crash", "wing"); !strings.Contains(stderr, "lines_test.go") {
		t.Errorf("no stack: %q", stderr)
	}
}

func TestVersion(t *testing.T) {
	code, stdout, _ := runTest("version", "--json")
	var b build
	if err := json.Unmarshal([]byte(stdout), &b); err != nil || code != 0 || strings.Count(stdout, "\n") != 1 {
		t.Fatalf("exit code %d, %q: %v", code, stdout, err)
	}
	if b.Program != "test" || b.Go != runtime.Version() || b.Writer != plan.WriterVersion || b.Format != plan.FormatVersion || len(b.Rules) != len(encode.Games()) {
		t.Errorf("%+v", b)
	}
	_, table, _ := runTest("version")
	for _, want := range []string{"test      ", "commit    ", "go        " + runtime.Version(), "platform  " + runtime.GOOS, "rules     cotulenh ", "writer    ", "format    "} {
		if !strings.Contains(table, want) {
			t.Errorf("no %q in\n%s", want, table)
		}
	}
	if code, line, _ := runTest("--version"); code != 0 || !strings.HasPrefix(line, "test version ") {
		t.Errorf("--version: exit code %d, %q", code, line)
	}
}

func TestBuildWithAndWithoutCommit(t *testing.T) {
	for _, c := range []struct {
		info *debug.BuildInfo
		want string
	}{
		{nil, "commit    unknown\n"},
		{&debug.BuildInfo{}, "commit    unknown\n"},
		{&debug.BuildInfo{Main: debug.Module{Version: "(devel)"}, Settings: []debug.BuildSetting{{Key: "vcs.revision", Value: "abc"}}}, "x         " + release.Version + "\ncommit    abc\n"},
		{&debug.BuildInfo{Main: debug.Module{Version: "v1.2.3"}, Settings: []debug.BuildSetting{{Key: "vcs.revision", Value: "abc"}, {Key: "vcs.modified", Value: "true"}}}, "\ncommit    abc, modified\n"},
	} {
		var out strings.Builder
		if err := buildOf("x", nil, c.info).print(&out, nil); err != nil || !strings.Contains(out.String(), c.want) {
			t.Errorf("%+v: %v, no %q in\n%s", c.info, err, c.want, out.String())
		}
	}
}

// TestScriptsParse asks each installed shell to parse its script.
func TestScriptsParse(t *testing.T) {
	for _, name := range []string{"bash", "zsh", "fish"} {
		t.Run(name, func(t *testing.T) {
			script := must.Get(scripts.ReadFile("scripts/" + name))(t)
			shell, err := exec.LookPath(name)
			if err != nil {
				return // the shell is not installed
			}
			check := exec.Command(shell, "-n")
			check.Stdin = strings.NewReader(strings.ReplaceAll(string(script), "PROGRAM", "selfplay"))
			if text, err := check.CombinedOutput(); err != nil || len(text) > 0 {
				t.Errorf("%v: %s", err, text)
			}
		})
	}
}
