package making

import (
	"os"
	"path/filepath"
	"testing"

	"selfplay/datasets"
	"selfplay/datasets/plan"
	"selfplay/datasets/record"
	"selfplay/internal/must"
)

// TestFollowerReturnsWhatCommitsReturns: after each change, and keeps the records that have not changed.
func TestFollowerReturnsWhatCommitsReturns(t *testing.T) {
	root := made(t, fakePlan(), 5)
	ds := must.Get(datasets.Open(root))(t)
	r := ds.Follow()
	var last []*record.Commit
	for _, step := range []struct {
		name   string
		change func()
		kept   int // records
	}{
		{"made", func() {}, 0},
		{"unchanged", func() {}, 1}, // the second shard is short
		{"extended", func() { makeIn(t, root, fakePlan(), 12, fakeOptions()) }, 1},
		{"a record removed", func() { remove(t, root, plan.CommitName(2)) }, 3},
		{"made again", func() { makeIn(t, root, fakePlan(), 12, fakeOptions()) }, 3},
	} {
		step.change()
		got := must.Get(r.Look())(t)
		want, err := ds.Commits()
		if err != nil || len(got) != len(want) {
			t.Fatalf("%s: %d records, want %d; %v", step.name, len(got), len(want), err)
		}
		kept := 0
		for i, c := range got {
			if c.Sum != want[i].Sum {
				t.Errorf("%s: record %d differs", step.name, i)
			}
			for _, old := range last {
				if old == c {
					kept++
				}
			}
		}
		if kept != step.kept {
			t.Errorf("%s: %d records are kept, want %d", step.name, kept, step.kept)
		}
		last = got
	}
}

// TestFollowerThatLooksAtFilesNoticesDamage: of a record that was read before. So does one after Forget.
func TestFollowerThatLooksAtFilesNoticesDamage(t *testing.T) {
	root := made(t, fakePlan(), 6)
	ds := must.Get(datasets.Open(root))(t)
	r := ds.Follow()
	r.Stats = true
	other := ds.Follow()
	must.Get(r.Look())(t)
	must.Get(other.Look())(t)
	must.Do(t, os.WriteFile(filepath.Join(root, plan.CommitName(0)), []byte("{}"), 0o644))
	if _, err := r.Look(); err == nil {
		t.Error("a damaged record is not noticed")
	}
	other.Forget(0)
	if _, err := other.Look(); err == nil {
		t.Error("a damaged record is not noticed after Forget")
	}
}
