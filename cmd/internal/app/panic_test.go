package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"

	"selfplay/datasets"
	"selfplay/internal/goroutine"
	"selfplay/workers"
)

// runPanic runs a command that panics with a value.
func runPanic(value any, args ...string) (code int, stderr string) {
	return runAction(func(*cli.Context) error { panic(value) }, args...)
}

// runAction runs a command with the given action.
func runAction(action cli.ActionFunc, args ...string) (code int, stderr string) {
	program := New("test", "panic", workers.Catalog{}, nil, &cli.Command{Name: "fly", Usage: "panic", Action: action})
	var out, err strings.Builder
	code = Run(context.Background(), program, append([]string{"test"}, args...), nil, &out, &err)
	return code, err.String()
}

func TestPanicIsAnInternalErrorOnOneLine(t *testing.T) {
	want := "test: internal error: no such wing; please report this at " + reportPlace + " with the command: test fly \"a b\"\n"
	if code, stderr := runPanic("no such\nwing", "fly", "a b"); code != Failed || stderr != want {
		t.Errorf("exit code %d, %q, want %q", code, stderr, want)
	}
}

func TestPanicWithAnErrorHasTheExitCodeOfAFailure(t *testing.T) {
	for _, value := range []any{Usage("no"), datasets.ErrUnsupported, fmt.Errorf("deep: %w", ErrDamaged), context.Canceled} {
		if code, stderr := runPanic(value, "fly"); code != Failed || strings.Count(stderr, "\n") != 1 {
			t.Errorf("%v: exit code %d, %q", value, code, stderr)
		}
	}
}

// TestPanicOfAGoroutineIsAnInternalError: also if another error of the same work has an exit
// code of its own.
func TestPanicOfAGoroutineIsAnInternalError(t *testing.T) {
	code, stderr := runAction(func(*cli.Context) error {
		g := goroutine.New()
		g.Go(func() error { panic("no such wing") })
		return errors.Join(fmt.Errorf("make shard 00007: %w", g.Wait()), ErrDamaged)
	}, "fly")
	const want = "test: internal error: make shard 00007: panic: no such wing the dataset is damaged; please report this at " +
		reportPlace + " with the command: test fly\n"
	if code != Failed || stderr != want {
		t.Errorf("exit code %d, %q, want %q", code, stderr, want)
	}
}

func TestPanicFollowsTheLogFormat(t *testing.T) {
	code, stderr := runPanic("no such wing", "fly", "--log-format", "json")
	var line struct{ Level, Msg string }
	if err := json.Unmarshal([]byte(stderr), &line); err != nil || code != Failed || !strings.HasPrefix(line.Msg, "internal error: no such wing") {
		t.Errorf("exit code %d, %q, %v", code, stderr, err)
	}
}

func TestDebugVariableShowsTheStackOfAPanic(t *testing.T) {
	t.Setenv(DebugVariable, "1")
	if _, stderr := runPanic("no such wing", "fly"); !strings.Contains(stderr, "panic_test.go") {
		t.Errorf("no stack: %q", stderr)
	}
}
