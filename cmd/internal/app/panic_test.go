package app

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"

	"selfplay/datasets"
)

// runPanic runs a command that panics with a value.
func runPanic(value any, args ...string) (code int, stderr string) {
	program := New("test", "panic", nil, &cli.Command{Name: "fly", Usage: "panic", Action: func(*cli.Context) error { panic(value) }})
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
