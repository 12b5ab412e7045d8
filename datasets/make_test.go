package datasets

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"selfplay/datasets/disk"
	"selfplay/encode"
	"selfplay/engine"
)

// makeIn makes a dataset and fails the test if that fails.
func makeIn(t testing.TB, root string, p Plan, games uint64, o Options) Summary {
	t.Helper()
	s, err := Make(context.Background(), root, p, games, o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// tree returns all that makes up a dataset: every file but lock and target.
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
	if err != nil {
		t.Fatal(err)
	}
	delete(files, disk.LockName)
	maps.DeleteFunc(files, func(name, _ string) bool { return strings.HasSuffix(name, disk.LeaseSuffix) }) // of a run in progress
	delete(files, targetName)
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
			t.Errorf("%s is too much", name)
		}
	}
}

func TestDatasetHasTheFilesItShould(t *testing.T) {
	root := t.TempDir()
	s := makeIn(t, root, fakePlan(), 11, fakeOptions())
	want := []string{
		".selfplay/commits/00000.json", ".selfplay/commits/00001.json", ".selfplay/commits/00002.json", ".selfplay/commits/00003.json",
		"README.md", "croissant.json",
		"games/train-00000.parquet", "games/train-00001.parquet", "games/train-00002.parquet", "games/validation-00003.parquet",
		"manifest.json", "plan.json",
		"positions/train-00000.parquet", "positions/train-00001.parquet", "positions/train-00002.parquet", "positions/validation-00003.parquet",
	}
	if got := slices.Sorted(maps.Keys(tree(t, root))); !slices.Equal(got, want) {
		t.Errorf("files %q, want %q", got, want)
	}
	if s.Games != 11 || s.Target != 11 || s.Shards != 4 || s.Made != 4 || s.PlanHash != fakeHeader(t).hash {
		t.Errorf("summary %+v", s)
	}
}

// The promise of the package: bytes depend on the plan alone.
func TestBytesDependOnThePlanAlone(t *testing.T) {
	for _, f := range formats {
		t.Run(f.name, func(t *testing.T) {
			o := fakeOptions()
			o.Open = 1
			root := t.TempDir()
			makeIn(t, root, f.plan(), 20, o)
			want := tree(t, root)
			for _, procs := range []int{1, 2, 8} {
				for _, open := range []int{0, 1, 3, 8} {
					defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
					o.Open, o.Check = open, CheckLight
					root := t.TempDir()
					makeIn(t, root, f.plan(), 20, o)
					sameTree(t, tree(t, root), want)
				}
			}
		})
	}
}

// stopAfter ends ctx once so many games are played.
func stopAfter(games int, cancel func()) Play {
	var mu sync.Mutex
	return each(fakePlay, func(*engine.Record) {
		mu.Lock()
		defer mu.Unlock()
		if games--; games < 0 {
			cancel()
		}
	})
}

func TestStoppedRunsAreResumed(t *testing.T) {
	src := rand.New(rand.NewPCG(1, 1))
	root := t.TempDir()
	makeIn(t, root, fakePlan(), 20, fakeOptions())
	want := tree(t, root)
	for range 20 {
		root := t.TempDir()
		for stops := 0; ; stops++ {
			ctx, cancel := context.WithCancel(context.Background())
			o := fakeOptions()
			o.Play = stopAfter(1+src.IntN(12), cancel)
			s, err := Make(ctx, root, fakePlan(), 20, o)
			cancel()
			if err == nil {
				break
			}
			if !errors.Is(err, ErrIncomplete) || !errors.Is(err, context.Canceled) {
				t.Fatal(err)
			}
			if r, err := Verify(context.Background(), root, VerifyOptions{Level: VerifySums, Rows: nil}); err != nil || !r.OK() || r.Games != s.Games {
				t.Fatalf("stopped: %+v, %v", r, err)
			}
		}
		sameTree(t, tree(t, root), want)
	}
}

func TestExtendedDatasetIsTheOneMadeInOneGo(t *testing.T) {
	for _, steps := range [][]uint64{{1, 20}, {2, 3, 4, 20}, {7, 20}, {9, 20}, {19, 20}, {10, 14, 20}} {
		root := t.TempDir()
		makeIn(t, root, fakePlan(), 20, fakeOptions())
		want := tree(t, root)
		root = t.TempDir()
		for _, games := range steps {
			if s := makeIn(t, root, fakePlan(), games, fakeOptions()); s.Games != games {
				t.Fatalf("%v: %d games, want %d", steps, s.Games, games)
			}
			if r, err := Verify(context.Background(), root, VerifyOptions{Level: VerifyDeep, Rows: fakeRows}); err != nil || !r.OK() || !r.Complete {
				t.Fatalf("%v: %+v, %v", steps, r, err)
			}
		}
		sameTree(t, tree(t, root), want)
	}
}

func TestSmallerTargetChangesNothing(t *testing.T) {
	root := t.TempDir()
	makeIn(t, root, fakePlan(), 10, fakeOptions())
	want := tree(t, root)
	for _, games := range []uint64{1, 3, 9, 10} {
		s := makeIn(t, root, fakePlan(), games, fakeOptions())
		if s.Games != 10 || s.Target != 10 || s.Made != 0 {
			t.Errorf("%d games: %+v", games, s)
		}
	}
	sameTree(t, tree(t, root), want)
}

func TestAnotherPlanIsRefused(t *testing.T) {
	root := t.TempDir()
	makeIn(t, root, fakePlan(), 3, fakeOptions())
	want := tree(t, root)
	p := fakePlan()
	p.Seed = 7
	_, err := Make(context.Background(), root, p, 3, fakeOptions())
	var plan *PlanError
	if !errors.Is(err, ErrPlanMismatch) || !errors.As(err, &plan) || !slices.Equal(plan.Differences, []string{"seed is 1, not 7"}) {
		t.Errorf("%v", err)
	}
	o := fakeOptions()
	o.Description.Elements[0].Doc = "other words"
	if _, err = Make(context.Background(), root, fakePlan(), 3, o); !errors.Is(err, ErrPlanMismatch) {
		t.Errorf("other texts: %v", err)
	}
	sameTree(t, tree(t, root), want)
}

func TestForeignDirectoryIsRefused(t *testing.T) {
	root := t.TempDir()
	if err := os.WriteFile(filepath.Join(root, "thesis.tex"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	_, err := Make(context.Background(), root, fakePlan(), 3, fakeOptions())
	if !errors.Is(err, ErrNotDataset) || !strings.Contains(err.Error(), "thesis.tex") {
		t.Error(err)
	}
	if _, err := Open(root); !errors.Is(err, ErrNotDataset) {
		t.Error(err)
	}
}

func TestSecondProcessIsLockedOut(t *testing.T) {
	root := t.TempDir()
	started, finish := make(chan bool), make(chan bool)
	o := fakeOptions()
	o.Open = 1
	o.Play = func(ctx context.Context, games []uint64, finished, sink func(*engine.Record) error) error {
		if games[0] == 0 {
			started <- true
			<-finish
		}
		return fakePlay(ctx, games, finished, sink)
	}
	done := make(chan error)
	go func() {
		_, err := Make(context.Background(), root, fakePlan(), 6, o)
		done <- err
	}()
	<-started
	_, err := Make(context.Background(), root, fakePlan(), 6, fakeOptions())
	var locked *LockError
	if !errors.Is(err, ErrLocked) || !errors.As(err, &locked) || locked.Holder.PID != os.Getpid() {
		t.Errorf("%v", err)
	}
	if _, err := Finalize(root, false); !errors.Is(err, ErrLocked) {
		t.Errorf("Finalize: %v", err)
	}
	close(finish)
	if err := <-done; err != nil {
		t.Error(err)
	}
	makeIn(t, root, fakePlan(), 6, fakeOptions()) // the lock is free again
}

// A killed run leaves files without a record.
func TestFilesWithoutRecordAreMadeAgainAndCompared(t *testing.T) {
	root := t.TempDir()
	makeIn(t, root, fakePlan(), 9, fakeOptions())
	want := tree(t, root)
	for _, left := range [][]string{
		{"positions/train-00001.parquet", "games/train-00001.parquet"},
		{"positions/train-00001.parquet"},
		{"games/train-00001.parquet"},
	} {
		remove(t, root, commitName(1), "positions/train-00001.parquet", "games/train-00001.parquet")
		for _, name := range left {
			write(t, root, name, want[name])
		}
		write(t, root, ".selfplay/tmp/positions-train-00002.parquet", "half a file")
		r, err := Verify(context.Background(), root, VerifyOptions{Level: VerifySums, Rows: nil})
		if err != nil || len(r.Problems) != 1 || !slices.Equal(r.Pending, slices.Sorted(slices.Values(left))) && len(left) == 1 {
			t.Errorf("%v left: %+v, %v", left, r, err) // the manifest names the shard
		}
		makeIn(t, root, fakePlan(), 9, fakeOptions())
		sameTree(t, tree(t, root), want)
	}
}

func TestOtherContentIsNondeterminism(t *testing.T) {
	for _, name := range []string{"positions/train-00001.parquet", "games/train-00001.parquet"} {
		root := t.TempDir()
		makeIn(t, root, fakePlan(), 9, fakeOptions())
		remove(t, root, commitName(1))
		write(t, root, name, "other content")
		_, err := Make(context.Background(), root, fakePlan(), 9, fakeOptions())
		var shard *ShardError
		if !errors.Is(err, ErrNondeterminism) || !errors.As(err, &shard) || shard.Shard != 1 {
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
		{"missing file", func(root string) { remove(t, root, "games/train-00001.parquet") }, ErrCorrupt},
		{"cut file", func(root string) { write(t, root, "positions/train-00001.parquet", "PAR1") }, ErrCorrupt},
		{"damaged record", func(root string) { write(t, root, commitName(1), "{}") }, ErrCorrupt},
		{"stray record", func(root string) { write(t, root, commitsName+"/1.json", "{}") }, ErrCorrupt},
		{"damaged plan", func(root string) { write(t, root, planName, "{}") }, ErrCorrupt},
		{"newer plan", func(root string) { write(t, root, planName, `{"format":9}`) }, ErrUnsupported},
		{"damaged target", func(root string) { write(t, root, targetName, "1000") }, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			root := t.TempDir()
			makeIn(t, root, fakePlan(), 9, fakeOptions())
			tt.damage(root)
			if _, err := Make(context.Background(), root, fakePlan(), 9, fakeOptions()); !errors.Is(err, tt.want) {
				t.Errorf("%v, want %v", err, tt.want)
			}
		})
	}
}

func TestFailuresOfPlayComeOut(t *testing.T) {
	broken := errors.New("broken")
	play := func(change func(r *engine.Record) bool) Play {
		return func(ctx context.Context, games []uint64, finished, sink func(*engine.Record) error) error {
			return fakePlay(ctx, games, finished, func(r *engine.Record) error {
				if !change(r) {
					return nil
				}
				return sink(r)
			})
		}
	}
	tests := []struct {
		name   string
		change func(o *Options)
		want   string
	}{
		{"error", func(o *Options) {
			o.Play = func(context.Context, []uint64, func(*engine.Record) error, func(*engine.Record) error) error {
				return broken
			}
		}, "broken"},
		{"missing game", func(o *Options) { o.Play = play(func(r *engine.Record) bool { return r.Game != 4 }) }, "game 5, want 4"},
		{"missing last game", func(o *Options) { o.Play = play(func(r *engine.Record) bool { return r.Game != 5 }) }, "the games end at 5, want 6"},
		{"other game", func(o *Options) { o.Play = play(func(r *engine.Record) bool { r.Game *= 2; return true }) }, "game 2, want 1"},
		{"rows", func(o *Options) {
			o.Rows = func() RowFunc { return func(*engine.Record, *encode.Table, []uint64) error { return broken } }
		}, "game 0: broken"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			root := t.TempDir()
			o := fakeOptions()
			o.Open = 1
			tt.change(&o)
			_, err := Make(context.Background(), root, fakePlan(), 6, o)
			if err == nil || !strings.Contains(err.Error(), tt.want) || errors.Is(err, ErrIncomplete) {
				t.Errorf("%v, want %s", err, tt.want)
			}
			makeIn(t, root, fakePlan(), 6, fakeOptions())
			if r, err := Verify(context.Background(), root, VerifyOptions{Level: VerifyDeep, Rows: fakeRows}); err != nil || !r.OK() {
				t.Errorf("afterwards: %+v, %v", r, err)
			}
		})
	}
}

func TestEventsAddUp(t *testing.T) {
	root := t.TempDir()
	for _, games := range []uint64{6, 20} {
		var resumed, committed, rows, written uint64
		first := true
		o := fakeOptions()
		o.Notify = func(e Event) {
			if (e.Kind == EventResumed) != first {
				t.Errorf("event %+v, first %v", e, first)
			}
			first = false
			switch e.Kind {
			case EventResumed:
				resumed, rows = e.Games, e.Rows
			case EventCommitted:
				committed += e.Games
				rows += e.Rows
			case EventWritten:
				if e.Table == gamesName {
					written += e.Rows
				}
			}
		}
		s := makeIn(t, root, fakePlan(), games, o)
		if resumed+committed != games || written != committed || rows != s.Rows {
			t.Errorf("%d games: %d resumed, %d written, %d committed, %d rows of %d", games, resumed, written, committed, rows, s.Rows)
		}
	}
}

func TestFinalizeRebuildsDerivedFiles(t *testing.T) {
	root := t.TempDir()
	makeIn(t, root, fakePlan(), 9, fakeOptions())
	want := tree(t, root)
	remove(t, root, manifestName)
	write(t, root, cardName, "my own words")
	write(t, root, croissantName, "{}")
	if missing, err := Finalize(root, false); err != nil || missing != nil {
		t.Fatal(missing, err)
	}
	sameTree(t, tree(t, root), want)
}

func remove(t testing.TB, root string, names ...string) {
	t.Helper()
	for _, name := range names {
		if err := os.Remove(filepath.Join(root, name)); err != nil {
			t.Fatal(err)
		}
	}
}

func write(t testing.TB, root, name, data string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(root, name), []byte(data), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestCardHasSplitsThatExist(t *testing.T) {
	root := t.TempDir()
	p := fakePlan()
	p.Validation = 0
	makeIn(t, root, p, 9, fakeOptions())
	card := tree(t, root)[cardName]
	if strings.Contains(card, "validation-") || !strings.Contains(card, "path: games/train-*.parquet") {
		t.Error(card[:400])
	}
	if !bytes.HasPrefix([]byte(card), []byte("---\npretty_name: \"Fake self-play\"\nsize_categories:\n- n<1K\n")) {
		t.Error(card[:100])
	}
}

func TestNumbersForPeople(t *testing.T) {
	got := fmt.Sprint(count(7), " ", count(1234), " ", count(1234567), " ", size(999), " ", size(1500), " ", size(2_500_000_000),
		" ", sizeCategory(999), " ", sizeCategory(1000), " ", sizeCategory(5_000_000_000))
	if want := "7 1,234 1,234,567 999 B 1.5 kB 2.5 GB n<1K 1K<n<10K 1B<n<10B"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
