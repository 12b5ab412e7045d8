package making

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"selfplay/datasets"
	"selfplay/datasets/checking"
	"selfplay/datasets/internal/fault"
	"selfplay/datasets/plan"
	"selfplay/engine"
	"selfplay/internal/must"
)

// sourceOf returns the source of a dataset.
func sourceOf(t testing.TB, root string) (*datasets.Source, error) {
	t.Helper()
	ds := must.Get(datasets.Open(root))(t)
	return ds.Source(context.Background())
}

// makeFrom makes a dataset from the games of another one.
func makeFrom(t testing.TB, source, root string, p plan.Plan, o Options) Summary {
	t.Helper()
	s := must.Get(sourceOf(t, source))(t)
	o.Play, o.NoJournal = s.Play, true
	return makeIn(t, root, p, s.Games(), o)
}

// TestDatasetFromASourceEqualsAPlayedOne, for any formats of the two datasets.
func TestDatasetFromASourceEqualsAPlayedOne(t *testing.T) {
	filtered := filteredOptions(func(game uint64) bool { return game%5 == 0 })
	for _, from := range []formatTest{formats[0], formats[3]} {
		source := t.TempDir()
		makeIn(t, source, from.filteredPlan(), 11, filtered) // a filter drops no games
		for _, to := range formats {
			for _, c := range []struct {
				plan plan.Plan
				o    Options
			}{{to.plan(), fakeOptions()}, {to.filteredPlan(), filtered}} {
				played, root := t.TempDir(), t.TempDir()
				makeIn(t, played, c.plan, 11, c.o)
				makeFrom(t, source, root, c.plan, c.o)
				sameTree(t, tree(t, root), tree(t, played))
			}
		}
	}
}

// TestDatasetFromASourceIsResumed after a stop, and extended when the source has grown.
func TestDatasetFromASourceIsResumed(t *testing.T) {
	source, root, played := t.TempDir(), t.TempDir(), t.TempDir()
	plan := formats[1].filteredPlan()
	makeIn(t, played, plan, 20, filteredOptions(noGame))
	for _, games := range []uint64{4, 11, 20} {
		makeIn(t, source, fakePlan(), games, fakeOptions())
		s := must.Get(sourceOf(t, source))(t)
		o := filteredOptions(noGame)
		ctx, cancel := context.WithCancel(context.Background())
		left := 3
		o.OpenShards, o.NoJournal = 1, true
		o.Play = func(ctx context.Context, games []uint64, _ engine.Journal, sink func(*engine.Record) error) error {
			return s.Play(ctx, games, nil, func(r *engine.Record) error {
				if left--; left < 0 {
					cancel()
				}
				return sink(r)
			})
		}
		if _, err := Make(ctx, root, plan, games, o); err != nil && !errors.Is(err, fault.ErrIncomplete) {
			t.Fatal(err)
		}
		cancel()
		if s := makeFrom(t, source, root, plan, filteredOptions(noGame)); s.Games != games {
			t.Errorf("%d games, want %d", s.Games, games)
		}
	}
	sameTree(t, tree(t, root), tree(t, played))
}

func TestSourceReportsItsProgress(t *testing.T) {
	source := made(t, fakePlan(), 11)
	s := must.Get(sourceOf(t, source))(t)
	o := fakeOptions()
	o.Play, o.NoJournal = s.Play, true
	made := makeIn(t, t.TempDir(), fakePlan(), 11, o)
	if games, plies := s.Progress(); games != 11 || plies != made.Rows {
		t.Errorf("%d games and %d plies, want 11 and %d", games, plies, made.Rows)
	}
}

// TestDamagedSourceIsRefused before anything is made. Damage of positions files does not
// matter.
func TestDamagedSourceIsRefused(t *testing.T) {
	const games = "games/train-00002.parquet"
	for name, damage := range map[string]func(root string, files map[string]string){
		"changed byte":            func(root string, f map[string]string) { write(t, root, games, f[games][:200]+"!"+f[games][201:]) },
		"truncated file":          func(root string, f map[string]string) { write(t, root, games, f[games][:200]) },
		"missing file":            func(root string, _ map[string]string) { remove(t, root, games) },
		"file of another shard":   func(root string, f map[string]string) { write(t, root, games, f["games/train-00001.parquet"]) },
		"damaged record":          func(root string, _ map[string]string) { write(t, root, plan.CommitName(2), "{}") },
		"record of another shard": func(root string, f map[string]string) { write(t, root, plan.CommitName(2), f[plan.CommitName(1)]) },
		"damaged target":          func(root string, _ map[string]string) { write(t, root, plan.TargetName, "{") },
	} {
		source := made(t, fakePlan(), 11)
		damage(source, tree(t, source))
		if _, err := sourceOf(t, source); !errors.Is(err, fault.ErrCorrupt) && !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v", name, err)
		}
	}
	source := made(t, fakePlan(), 11)
	remove(t, source, "positions/train-00002.parquet")
	must.Get(sourceOf(t, source))(t)
}

// TestSourceDamagedDuringTheRunIsRefused: the shard that reads the damaged file is not
// committed.
func TestSourceDamagedDuringTheRunIsRefused(t *testing.T) {
	source, root := t.TempDir(), t.TempDir()
	makeIn(t, source, fakePlan(), 11, fakeOptions())
	s := must.Get(sourceOf(t, source))(t)
	name := filepath.Join(source, "games/train-00001.parquet")
	data := must.Get(os.ReadFile(name))(t)
	data[len(data)/2] ^= 1
	must.Do(t, os.WriteFile(name, data, 0o644))
	o := fakeOptions()
	o.OpenShards, o.Play, o.NoJournal = 1, s.Play, true
	_, err := Make(context.Background(), root, fakePlan(), 11, o)
	var shard *fault.ShardError
	if !errors.Is(err, fault.ErrCorrupt) || !errors.As(err, &shard) || shard.Shard != 1 || !strings.Contains(err.Error(), "read games/train-00001.parquet: corrupt") {
		t.Errorf("%v", err)
	}
	r, err := checking.Verify(context.Background(), root, checking.VerifyOptions{Level: checking.VerifyDeep, Rows: fakeRows})
	if err != nil || !r.OK() || r.Complete || r.Shards != 1 {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestUnfinishedSourceIsRefused(t *testing.T) {
	root := t.TempDir()
	stopIn(t, root, 20, 7, fakeOptions())
	must.Fail(sourceOf(t, root))(t, datasets.ErrUnfinished, "5 of 7 shards are missing")
	makeIn(t, root, fakePlan(), 20, fakeOptions())
	if s, err := sourceOf(t, root); err != nil || s.Games() != 20 {
		t.Errorf("%+v, %v", s, err)
	}
	remove(t, root, plan.CommitName(3))
	must.Fail(sourceOf(t, root))(t, datasets.ErrUnfinished, "1 of 7 shards are missing")
}
