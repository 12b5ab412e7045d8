package making

import (
	"context"
	"errors"
	"testing"

	"selfplay/datasets/plan"
	"selfplay/engine"
	"selfplay/internal/must"
)

// TestEstimateCountsWhatMakeWrites, and Complete returns the hash of its plan.
func TestEstimateCountsWhatMakeWrites(t *testing.T) {
	for _, f := range formats {
		root := t.TempDir()
		made := makeIn(t, root, f.plan(), 1, fakeOptions())
		o := fakeOptions()
		o.OpenShards = 1
		e, err := EstimateRun(context.Background(), f.plan(), 0, 1, o)
		if err != nil || e.Games != 1 || e.Rows != made.Rows || int64(e.Bytes) != made.Bytes || e.SquaredRows != float64(made.Rows*made.Rows) || e.RowBytes < 2*fakeBoard {
			t.Errorf("%s: %+v, %v, want %+v", f.name, e, err, made)
		}
		if _, hash, err := plan.Complete(f.plan(), fakeDescription()); err != nil || hash != made.PlanHash {
			t.Errorf("%s: plan %s, %v, want %s", f.name, hash, err, made.PlanHash)
		}
	}
	o, broken := fakeOptions(), errors.New("broken")
	o.Play = func(context.Context, []uint64, engine.Journal, func(*engine.Record) error) error {
		return broken
	}
	must.Fail(EstimateRun(context.Background(), fakePlan(), 0, 9, o))(t, broken, "")
}

func TestEstimateCoversEveryOpenShard(t *testing.T) {
	o := fakeOptions()
	o.OpenShards = 3
	e, err := EstimateRun(context.Background(), fakePlan(), 7, 4, o)
	if err != nil || e.Games != 12 || e.SquaredRows < float64(e.Rows*e.Rows)/12 {
		t.Errorf("%+v, %v", e, err)
	}
}
