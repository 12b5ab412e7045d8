package making

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"selfplay/datasets"
	"selfplay/datasets/plan"
	"selfplay/datasets/record"
	"selfplay/internal/must"
)

// TestRefreshReturnsWhatCommitsReturns: after a short shard was extended, and after a repair
// dropped a shard. Records of full shards are not read again.
func TestRefreshReturnsWhatCommitsReturns(t *testing.T) {
	root := made(t, fakePlan(), 7)
	ds := must.Get(datasets.Open(root))(t)
	var known []*record.Commit
	check := func() {
		t.Helper()
		known = must.Get(ds.Refresh(known))(t)
		want, err := ds.Commits()
		if err != nil || len(want) == 0 || !reflect.DeepEqual(known, want) {
			t.Errorf("%d records, want %d, %v", len(known), len(want), err)
		}
	}
	check()
	first := known[0]
	makeIn(t, root, fakePlan(), 20, fakeOptions())
	check()
	if known[0] != first {
		t.Error("a full shard was read again")
	}
	must.Do(t, os.Remove(filepath.Join(root, filepath.FromSlash(plan.CommitName(1)))))
	check()
}

func TestTargetIsThatOfTheLastRun(t *testing.T) {
	root := made(t, fakePlan(), 7)
	ds := must.Get(datasets.Open(root))(t)
	if n, err := ds.Target(); n != 7 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	os.Remove(filepath.Join(root, filepath.FromSlash(plan.TargetName)))
	if n, err := ds.Target(); n != 0 || err != nil {
		t.Errorf("without a target: %d, %v", n, err)
	}
}
