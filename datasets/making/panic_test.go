package making

import (
	"context"
	"errors"
	"strings"
	"testing"

	"selfplay/datasets"
	"selfplay/datasets/disk"
	"selfplay/datasets/internal/fault"
	"selfplay/encode"
	"selfplay/engine"
	"selfplay/internal/goroutine"
)

// panicsAt returns a Rows whose functions panic at a game.
func panicsAt(game uint64) func() datasets.RowFunc {
	return func() datasets.RowFunc {
		rows := fakeRows()
		return func(r *engine.Record, t *encode.Table, dropped []uint64) error {
			if r.Game == game {
				panic("no such cell")
			}
			return rows(r, t, dropped)
		}
	}
}

// TestPanicInAShardEndsTheRun: with an error, without temporary files, without a lock. The
// next run makes the same dataset as a run without a panic.
func TestPanicInAShardEndsTheRun(t *testing.T) {
	root, whole, o := t.TempDir(), t.TempDir(), fakeOptions()
	o.Rows = panicsAt(4)
	_, err := Make(context.Background(), root, fakePlan(), 11, o)
	var caught *goroutine.PanicError
	if !errors.As(err, &caught) || errors.Is(err, fault.ErrIncomplete) {
		t.Fatalf("%v, want a panic", err)
	}
	for name := range tree(t, root) {
		if strings.HasPrefix(name, disk.TempFolder) {
			t.Errorf("%s is left over", name)
		}
	}
	makeIn(t, root, fakePlan(), 11, fakeOptions())
	makeIn(t, whole, fakePlan(), 11, fakeOptions())
	sameTree(t, tree(t, root), tree(t, whole))
}
