package export

import (
	"context"
	"path/filepath"
	"testing"

	"selfplay/datasets"
	"selfplay/datasets/making"
	"selfplay/datasets/plan"
	"selfplay/engine"
	"selfplay/internal/must"
)

// TestRepairRefusesADatasetBeingWritten: until its writer ends.
func TestRepairRefusesADatasetBeingWritten(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "set")
	tiny(t, dir, plan.Parquet, plan.List)
	ds := must.Get(datasets.Open(dir))(t)
	started, finish, done := make(chan bool), make(chan bool), make(chan error)
	go func() {
		_, err := making.Make(context.Background(), dir, ds.Plan(), 100, making.Options{
			OpenShards: 1, Description: ds.Description(), Rows: func() datasets.RowFunc { return nil },
			Play: func(context.Context, []uint64, engine.Journal, func(*engine.Record) error) error {
				started <- true
				<-finish
				return context.Canceled
			},
		})
		done <- err
	}()
	<-started
	mustRefuse(t, export("repair", dir), 11, "locked")
	mustRefuse(t, export("repair", "--dry-run", dir), 11, "locked")
	close(finish)
	<-done
	mustRun(t, "repair", dir)
}
