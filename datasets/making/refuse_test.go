package making

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"selfplay/datasets"
	"selfplay/datasets/checking"
	"selfplay/datasets/internal/fault"
	"selfplay/datasets/plan"
	"selfplay/engine"
	"selfplay/internal/must"
)

func TestAnotherPlanIsRefused(t *testing.T) {
	root := made(t, fakePlan(), 3)
	want := tree(t, root)
	p := fakePlan()
	p.Seed = 7
	_, err := Make(context.Background(), root, p, 3, fakeOptions())
	var other *datasets.PlanError
	if !errors.Is(err, datasets.ErrPlanMismatch) || !errors.As(err, &other) || !slices.Equal(other.Differences, []plan.Difference{{Setting: "seed", This: "1", Is: "7"}}) {
		t.Errorf("%v", err)
	}
	o := fakeOptions()
	o.Description.Elements[0].Doc = "other text"
	must.Fail(Make(context.Background(), root, fakePlan(), 3, o))(t, datasets.ErrPlanMismatch, "")
	sameTree(t, tree(t, root), want)
}

func TestDirectoryWithOtherFilesIsRefused(t *testing.T) {
	root := t.TempDir()
	must.Do(t, os.WriteFile(filepath.Join(root, "thesis.tex"), nil, 0o644))
	_, err := Make(context.Background(), root, fakePlan(), 3, fakeOptions())
	if !errors.Is(err, fault.ErrNotDataset) || !strings.Contains(err.Error(), "thesis.tex") {
		t.Error(err)
	}
	must.Fail(datasets.Open(root))(t, fault.ErrNotDataset, "")
}

func TestSecondProcessIsLockedOut(t *testing.T) {
	root := t.TempDir()
	started, finish := make(chan bool), make(chan bool)
	o := fakeOptions()
	o.OpenShards = 1
	o.Play = func(ctx context.Context, games []uint64, journal engine.Journal, sink func(*engine.Record) error) error {
		if games[0] == 0 {
			started <- true
			<-finish
		}
		return fakePlay(ctx, games, journal, sink)
	}
	done := make(chan error)
	go func() {
		_, err := Make(context.Background(), root, fakePlan(), 6, o)
		done <- err
	}()
	<-started
	_, err := Make(context.Background(), root, fakePlan(), 6, fakeOptions())
	var locked *datasets.LockError
	if !errors.Is(err, datasets.ErrLocked) || !errors.As(err, &locked) || locked.Holder.PID != os.Getpid() {
		t.Errorf("%v", err)
	}
	must.Fail(Finalize(root, false))(t, datasets.ErrLocked, "")
	close(finish)
	must.Do(t, <-done)
	makeIn(t, root, fakePlan(), 6, fakeOptions()) // the lock is released
}

// TestFilesWithoutARecordAreMadeAgainAndCompared: a run that was killed before its commit
// leaves such files.
func TestFilesWithoutARecordAreMadeAgainAndCompared(t *testing.T) {
	root := made(t, fakePlan(), 9)
	want := tree(t, root)
	for _, left := range [][]string{
		{"positions/train-00001.parquet", "games/train-00001.parquet"},
		{"positions/train-00001.parquet"},
		{"games/train-00001.parquet"},
	} {
		remove(t, root, plan.CommitName(1), "positions/train-00001.parquet", "games/train-00001.parquet")
		for _, name := range left {
			write(t, root, name, want[name])
		}
		write(t, root, ".selfplay/tmp/positions-train-00002.parquet", "half a file")
		r, err := checking.Verify(context.Background(), root, checking.VerifyOptions{Level: checking.VerifySums, Rows: nil})
		if err != nil || len(r.Problems) != 1 || !slices.Equal(r.Pending, slices.Sorted(slices.Values(left))) && len(left) == 1 {
			t.Errorf("%v left: %+v, %v", left, r, err) // the problem is the manifest, which lists the shard
		}
		makeIn(t, root, fakePlan(), 9, fakeOptions())
		sameTree(t, tree(t, root), want)
	}
}

func TestFileWithOtherContentIsNondeterminism(t *testing.T) {
	for _, name := range []string{"positions/train-00001.parquet", "games/train-00001.parquet"} {
		root := made(t, fakePlan(), 9)
		remove(t, root, plan.CommitName(1))
		write(t, root, name, "other content")
		_, err := Make(context.Background(), root, fakePlan(), 9, fakeOptions())
		var shard *fault.ShardError
		if !errors.Is(err, fault.ErrNondeterminism) || !errors.As(err, &shard) || shard.Shard != 1 {
			t.Errorf("%s: %v", name, err)
		}
		if got := tree(t, root)[name]; got != "other content" {
			t.Errorf("%s was overwritten", name)
		}
	}
}

func TestDamagedDatasetIsNotContinued(t *testing.T) {
	tests := []struct {
		name   string
		damage func(root string)
		want   error
	}{
		{"missing file", func(root string) { remove(t, root, "games/train-00001.parquet") }, fault.ErrCorrupt},
		{"truncated file", func(root string) { write(t, root, "positions/train-00001.parquet", "PAR1") }, fault.ErrCorrupt},
		{"damaged record", func(root string) { write(t, root, plan.CommitName(1), "{}") }, fault.ErrCorrupt},
		{"foreign name among records", func(root string) { write(t, root, plan.CommitsFolder+"/1.json", "{}") }, fault.ErrCorrupt},
		{"damaged plan and manifest, records lost", func(root string) {
			write(t, root, plan.FileName, "{}")
			remove(t, root, plan.CommitName(0), plan.CommitName(1), plan.CommitName(2), plan.ManifestName)
		}, fault.ErrCorrupt},
		{"plan of another format", func(root string) { write(t, root, plan.FileName, `{"format":9}`) }, fault.ErrUnsupported},
		{"damaged target", func(root string) { write(t, root, plan.TargetName, "1000") }, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			root := made(t, fakePlan(), 9)
			tt.damage(root)
			if _, err := Make(context.Background(), root, fakePlan(), 9, fakeOptions()); !errors.Is(err, tt.want) {
				t.Errorf("%v, want %v", err, tt.want)
			}
		})
	}
}
