package export

import (
	"context"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"selfplay/datasets"
	"selfplay/engine"
)

// TestRepairPrintsItsActions: those it takes, and with --dry-run those it would take.
func TestRepairPrintsItsActions(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "set")
	tiny(t, dir, datasets.Parquet, datasets.List)
	if o := export("repair", dir); o.code != 0 || o.stdout != "nothing to repair\n" {
		t.Errorf("%+v", o)
	}
	damage(t, dir, "games/validation-00001.parquet", flip)
	dry := export("repair", "--dry-run", dir)
	if dry.code != 0 || !strings.HasPrefix(dry.stdout, "would drop manifest.json: ") ||
		!strings.Contains(dry.stdout, "\nwould drop .selfplay/commits/00001.json: games/validation-00001.parquet: corrupt: SHA-256 ") ||
		!strings.HasSuffix(dry.stdout, "6 actions needed, none taken\n1 shard missing: repeat the command that made the dataset\n") {
		t.Errorf("%+v", dry)
	}
	if o := export("verify", dir); o.code != 4 {
		t.Errorf("a dry run repaired: %+v", o)
	}
	o := export("repair", "--json", dir)
	var r datasets.RepairReport
	if err := json.Unmarshal([]byte(o.stdout), &r); err != nil || o.code != 0 || len(r.Actions) != 6 || len(r.Missing) != 1 || r.Missing[0] != 1 {
		t.Errorf("%+v", o)
	}
	if o := export("verify", dir); o.code != 0 || !strings.Contains(o.stdout, "incomplete: 1 shard missing") {
		t.Errorf("%+v", o)
	}
	tiny(t, dir, datasets.Parquet, datasets.List)
	if o := export("verify", "--deep", dir); o.code != 0 || strings.Contains(o.stdout, "incomplete") {
		t.Errorf("%+v", o)
	}
}

// TestRepairRefusals: exclusive flags, foreign files and a damaged plan.
func TestRepairRefusals(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "set")
	tiny(t, dir, datasets.Parquet, datasets.List)
	mustRefuse(t, export("repair", "--quick", "--deep", dir), 2, "exclude each other")
	mustRefuse(t, export("repair", "--sample", "0.1", dir), 2, "flag --sample needs --deep")
	mustRefuse(t, export("repair", filepath.Join(dir, "games")), 2, "not a dataset")
	write(t, filepath.Join(dir, "games", "notes.txt"), nil)
	mustRefuse(t, export("repair", dir), 4, "1 file outside the dataset: move away what repair left")
	damage(t, dir, "plan.json", flip)
	mustRefuse(t, export("repair", dir), 4, "run it with another --out, copy plan.json from there, and repair again")
}

// TestRepairRefusesADatasetBeingWritten: until its writer ends.
func TestRepairRefusesADatasetBeingWritten(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "set")
	tiny(t, dir, datasets.Parquet, datasets.List)
	ds, err := datasets.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	started, finish, done := make(chan bool), make(chan bool), make(chan error)
	go func() {
		_, err := datasets.Make(context.Background(), dir, ds.Plan(), 100, datasets.Options{
			OpenShards: 1, Description: ds.Description(), Rows: func() datasets.RowFunc { return nil },
			Play: func(context.Context, []uint64, func(*engine.Record) error, func(*engine.Record) error) error {
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
	if o := export("repair", dir); o.code != 0 {
		t.Errorf("%+v", o)
	}
}
