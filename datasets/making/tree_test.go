package making

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"selfplay/datasets/disk"
	"selfplay/datasets/internal/fault"
	"selfplay/datasets/plan"
	"selfplay/internal/must"
)

// makeIn makes a dataset. An error fails the test.
func makeIn(t testing.TB, root string, p plan.Plan, games uint64, o Options) Summary {
	t.Helper()
	s := must.Get(Make(context.Background(), root, p, games, o))(t)
	return s
}

// made makes a dataset in a new folder.
func made(t testing.TB, p plan.Plan, games uint64) (root string) {
	t.Helper()
	root = t.TempDir()
	makeIn(t, root, p, games, fakeOptions())
	return root
}

// stopIn begins to make a dataset, one shard at a time, and stops when more than some games are finished.
func stopIn(t testing.TB, root string, games uint64, after int, o Options) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	o.OpenShards, o.Play = 1, stopAfter(after, cancel)
	must.Fail(Make(ctx, root, fakePlan(), games, o))(t, fault.ErrIncomplete, "")
}

// tree returns the files of a dataset by name, except lock, leases and target.
func tree(t testing.TB, root string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(root, func(name string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		rel, _ := filepath.Rel(root, name)
		data, err := os.ReadFile(name)
		files[filepath.ToSlash(rel)] = string(data)
		return err
	})
	must.Do(t, err)
	delete(files, disk.LockName)
	maps.DeleteFunc(files, func(name, _ string) bool { return strings.HasSuffix(name, disk.LeaseSuffix) })
	delete(files, plan.TargetName)
	return files
}

func sameTree(t testing.TB, got, want map[string]string) {
	t.Helper()
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if data, ok := got[name]; !ok {
			t.Errorf("%s is missing", name)
		} else if data != want[name] {
			t.Errorf("%s differs", name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(got)) {
		if _, ok := want[name]; !ok {
			t.Errorf("%s should not exist", name)
		}
	}
}

func remove(t testing.TB, root string, names ...string) {
	t.Helper()
	for _, name := range names {
		must.Do(t, os.Remove(filepath.Join(root, name)))
	}
}

func write(t testing.TB, root, name, data string) {
	t.Helper()
	must.Do(t, os.WriteFile(filepath.Join(root, name), []byte(data), 0o644))
}
