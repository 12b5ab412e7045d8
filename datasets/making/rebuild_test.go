package making

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"selfplay/datasets"
	"selfplay/datasets/disk"
	"selfplay/datasets/internal/fault"
	"selfplay/datasets/plan"
	"selfplay/internal/must"
)

// copyWithoutBookkeeping returns a complete dataset of 8 games in 3 shards without .selfplay/,
// its files, and its Info before.
func copyWithoutBookkeeping(t *testing.T) (root string, whole map[string]string, before datasets.Info) {
	t.Helper()
	root = t.TempDir()
	makeIn(t, root, fakePlan(), 8, fakeOptions())
	whole, before = tree(t, root), infoOf(t, root)
	must.Do(t, os.RemoveAll(filepath.Join(root, disk.Hidden)))
	return root, whole, before
}

func infoOf(t *testing.T, root string) datasets.Info {
	t.Helper()
	ds := must.Get(datasets.Open(root))(t)
	info := must.Get(ds.Info())(t)
	return info
}

// TestInfoOfACopyIsThatOfItsManifest: without .selfplay/, Info tells what manifest and files
// tell.
func TestInfoOfACopyIsThatOfItsManifest(t *testing.T) {
	root, whole, want := copyWithoutBookkeeping(t)
	want.FromManifest = true
	if got := infoOf(t, root); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	remove(t, root, "games/train-00001.parquet")
	if got := infoOf(t, root); got.Complete || got.ShardsDone != 2 || got.Shards != 3 || got.Games != 5 {
		t.Errorf("with a missing file: %+v", got)
	}
	remove(t, root, plan.ManifestName)
	if got := infoOf(t, root); got.FromManifest || got.Shards != 0 {
		t.Errorf("without a manifest: %+v", got)
	}
	if got := tree(t, root); len(got) >= len(whole) || got[plan.CommitName(0)] != "" {
		t.Errorf("Info wrote files")
	}
}

// TestCopyIsRebuiltOnlyOnRequest: a run refuses a copy without .selfplay/ and writes nothing,
// unless Rebuild is set. A rebuild that was stopped goes on without it.
func TestCopyIsRebuiltOnlyOnRequest(t *testing.T) {
	root, whole, _ := copyWithoutBookkeeping(t)
	copied := tree(t, root)
	for name, o := range map[string]Options{"run": fakeOptions(), "task": taskOptions(0, 2)} {
		if _, err := Make(t.Context(), root, fakePlan(), 9, o); !errors.Is(err, datasets.ErrNoRecords) {
			t.Errorf("%s: %v", name, err)
		}
	}
	other := fakePlan()
	other.Seed = 2
	must.Fail(Make(t.Context(), root, other, 8, fakeOptions()))(t, datasets.ErrPlanMismatch, "")
	must.Fail(Finalize(root, false))(t, fault.ErrCorrupt, "")
	must.Fail(Make(t.Context(), root, fakePlan(), 8, fakeOptions()))(t, datasets.ErrNoRecords, "")
	sameTree(t, tree(t, root), copied)
	o := fakeOptions()
	o.Rebuild, o.Play = true, playNothing
	must.Fail(Make(t.Context(), root, fakePlan(), 8, o))(t, fault.ErrIncomplete, "")
	makeIn(t, root, fakePlan(), 8, fakeOptions())
	sameTree(t, tree(t, root), whole)
}
