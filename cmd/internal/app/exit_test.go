package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"

	"selfplay/datasets"
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
