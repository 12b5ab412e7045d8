package making

import (
	"context"
	"errors"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"selfplay/datasets"
	"selfplay/datasets/checking"
	"selfplay/datasets/disk"
	"selfplay/datasets/internal/fault"
	"selfplay/datasets/plan"
	"selfplay/datasets/record"
	"selfplay/datasets/status"
	"selfplay/encode"
	"selfplay/engine"
	"selfplay/engine/enginetest"
	"selfplay/internal/must"
)

func TestDatasetHasTheDocumentedFiles(t *testing.T) {
	root := t.TempDir()
	s := makeIn(t, root, fakePlan(), 11, fakeOptions())
	want := []string{
		".selfplay/commits/00000.json", ".selfplay/commits/00001.json", ".selfplay/commits/00002.json", ".selfplay/commits/00003.json",
		"README.md", "croissant.json",
		"games/train-00000.parquet", "games/train-00001.parquet", "games/train-00002.parquet", "games/train-00003-2.parquet",
		"games/validation-00000.parquet", "games/validation-00002.parquet", "games/validation-00003-2.parquet",
		"manifest.json", "plan.json",
		"positions/train-00000.parquet", "positions/train-00001.parquet", "positions/train-00002.parquet", "positions/train-00003-2.parquet",
		"positions/validation-00000.parquet", "positions/validation-00002.parquet", "positions/validation-00003-2.parquet",
	}
	if got := slices.Sorted(maps.Keys(tree(t, root))); !slices.Equal(got, want) {
		t.Errorf("files %q, want %q", got, want)
	}
	if s.Games != 11 || s.Target != 11 || s.Shards != 4 || s.Made != 4 || s.PlanHash != fakeHeader(t).Hash {
		t.Errorf("summary %+v", s)
	}
}

// TestBytesDependOnThePlanAlone, not on the number of processors or open shards.
func TestBytesDependOnThePlanAlone(t *testing.T) {
	for _, f := range formats {
		t.Run(f.name, func(t *testing.T) {
			o := fakeOptions()
			o.OpenShards = 1
			root := t.TempDir()
			makeIn(t, root, f.plan(), 11, o)
			want := tree(t, root)
			for _, procs := range []int{1, 2, 8} {
				for _, open := range []int{0, 1, 3, 8} {
					defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
					o.OpenShards, o.Check = open, record.CheckLight
					root := t.TempDir()
					makeIn(t, root, f.plan(), 11, o)
					sameTree(t, tree(t, root), want)
				}
			}
		})
	}
}

// stopAfter returns a Play that calls cancel after some games.
func stopAfter(games int, cancel func()) datasets.Play {
	var mu sync.Mutex
	return observed(fakePlay, func(*engine.Record) {
		mu.Lock()
		defer mu.Unlock()
		if games--; games < 0 {
			cancel()
		}
	})
}

func TestStoppedRunsAreResumed(t *testing.T) {
	src := rand.New(rand.NewPCG(1, 1))
	root := made(t, fakePlan(), 20)
	want := tree(t, root)
	for range rounds(8) {
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
			if !errors.Is(err, fault.ErrIncomplete) || !errors.Is(err, context.Canceled) {
				t.Fatal(err)
			}
			if r, err := checking.Verify(context.Background(), root, checking.VerifyOptions{Level: checking.VerifySums, Rows: nil}); err != nil || !r.OK() || r.Games != s.Games {
				t.Fatalf("stopped: %+v, %v", r, err)
			}
		}
		sameTree(t, tree(t, root), want)
	}
}

func TestExtendedDatasetEqualsOneOfASingleRun(t *testing.T) {
	for _, steps := range [][]uint64{{1, 20}, {2, 3, 4, 20}, {7, 20}, {9, 20}, {19, 20}, {10, 14, 20}} {
		root := made(t, fakePlan(), 20)
		want := tree(t, root)
		root = t.TempDir()
		for _, games := range steps {
			if s := makeIn(t, root, fakePlan(), games, fakeOptions()); s.Games != games {
				t.Fatalf("%v: %d games, want %d", steps, s.Games, games)
			}
			if r, err := checking.Verify(context.Background(), root, checking.VerifyOptions{Level: checking.VerifyDeep, Rows: fakeRows}); err != nil || !r.OK() || !r.Complete {
				t.Fatalf("%v: %+v, %v", steps, r, err)
			}
		}
		sameTree(t, tree(t, root), want)
	}
}

func TestSmallerTargetChangesNothing(t *testing.T) {
	root := made(t, fakePlan(), 10)
	want := tree(t, root)
	for _, games := range []uint64{1, 3, 9, 10} {
		s := makeIn(t, root, fakePlan(), games, fakeOptions())
		if s.Games != 10 || s.Target != 10 || s.Made != 0 {
			t.Errorf("%d games: %+v", games, s)
		}
	}
	sameTree(t, tree(t, root), want)
}

func TestErrorsOfPlayAreReturned(t *testing.T) {
	broken := errors.New("broken")
	play := func(change func(r *engine.Record) bool) datasets.Play {
		return func(ctx context.Context, games []uint64, journal engine.Journal, sink func(*engine.Record) error) error {
			return fakePlay(ctx, games, journal, func(r *engine.Record) error {
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
		{"error of Play", func(o *Options) {
			o.Play = func(context.Context, []uint64, engine.Journal, func(*engine.Record) error) error {
				return broken
			}
		}, "broken"},
		{"missing game", func(o *Options) { o.Play = play(func(r *engine.Record) bool { return r.Game != 4 }) }, "game 5, want 4"},
		{"missing last game", func(o *Options) { o.Play = play(func(r *engine.Record) bool { return r.Game != 5 }) }, "the games end at 5, want 6"},
		{"wrong game number", func(o *Options) { o.Play = play(func(r *engine.Record) bool { r.Game *= 2; return true }) }, "game 2, want 1"},
		{"error of Rows", func(o *Options) {
			o.Rows = func() datasets.RowFunc { return func(*engine.Record, *encode.Table, []uint64) error { return broken } }
		}, "game 0: broken"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			root := t.TempDir()
			o := fakeOptions()
			o.OpenShards = 1
			tt.change(&o)
			_, err := Make(context.Background(), root, fakePlan(), 6, o)
			if err == nil || !strings.Contains(err.Error(), tt.want) || errors.Is(err, fault.ErrIncomplete) {
				t.Errorf("%v, want %s", err, tt.want)
			}
			makeIn(t, root, fakePlan(), 6, fakeOptions())
			if r, err := checking.Verify(context.Background(), root, checking.VerifyOptions{Level: checking.VerifyDeep, Rows: fakeRows}); err != nil || !r.OK() {
				t.Errorf("afterwards: %+v, %v", r, err)
			}
		})
	}
}

func TestEventsAddUp(t *testing.T) {
	root := t.TempDir()
	for _, games := range []uint64{6, 20} {
		var resumed, missing, committed, rows, written uint64
		first := true
		o := fakeOptions()
		o.Notify = func(e status.Event) {
			if (e.Kind == status.EventResumed) != first {
				t.Errorf("event %+v, first %v", e, first)
			}
			first = false
			switch e.Kind {
			case status.EventResumed:
				resumed, missing, rows = e.Games, e.Missing, e.Rows
				if e.Target != games || e.Shards == 0 && e.Games > 0 {
					t.Errorf("%d games: %+v", games, e)
				}
			case status.EventCommitted:
				committed += e.Games
				rows += e.Rows
			case status.EventWritten:
				if e.Table == plan.Games {
					written += e.Rows
				}
			}
		}
		s := makeIn(t, root, fakePlan(), games, o)
		if resumed+committed != games || missing != committed || written != committed || rows != s.Rows {
			t.Errorf("%d games: %d resumed, %d written, %d committed, %d rows of %d", games, resumed, written, committed, rows, s.Rows)
		}
	}
}

func TestFinalizeRebuildsDerivedFiles(t *testing.T) {
	root := made(t, fakePlan(), 9)
	want := tree(t, root)
	remove(t, root, plan.ManifestName)
	write(t, root, plan.CardName, "other text")
	write(t, root, plan.CroissantName, "{}")
	if final, err := Finalize(root, false); err != nil || final.Missing != nil {
		t.Fatal(final.Missing, err)
	}
	sameTree(t, tree(t, root), want)
}

// goldenAdvice: a commit record holds the sums of a shard.
const goldenAdvice = "Another commit record raises WriterVersion"

// goldenFiles compares files of a dataset with those of a folder in testdata.
func goldenFiles(t *testing.T, root, folder string, names ...string) {
	t.Helper()
	for _, name := range names {
		text := must.Get(os.ReadFile(filepath.Join(root, name)))(t)
		enginetest.Golden(t, filepath.Join("testdata/golden", folder, filepath.Base(name)), string(text), goldenAdvice)
	}
}

// TestShardBytesAreFrozen compares a commit record, which holds the sums of the data files,
// and the derived files.
func TestShardBytesAreFrozen(t *testing.T) {
	for _, f := range formats {
		t.Run(f.name, func(t *testing.T) {
			root := made(t, f.plan(), 10)
			goldenFiles(t, root, f.name, plan.CommitName(0), plan.ManifestName, plan.CardName, plan.CroissantName)
		})
	}
}

// formats are the combinations of format and board type.
var formats = []formatTest{
	{"parquet-list", plan.Parquet, plan.List},
	{"parquet-packed", plan.Parquet, plan.Packed},
	{"arrow-list", plan.Arrow, plan.List},
	{"arrow-packed", plan.Arrow, plan.Packed},
}

type formatTest struct{ name, format, boardType string }

func (f formatTest) plan() plan.Plan {
	p := fakePlan()
	p.Format, p.BoardType = f.format, f.boardType
	return p
}

// TestLightCheck: of a Parquet file, it misses flipped bits that still decode, and finds a
// file that is cut off. Of an Arrow file, it finds everything. The full check finds all.
func TestLightCheck(t *testing.T) {
	for _, f := range formats {
		t.Run(f.name, func(t *testing.T) {
			root, p := t.TempDir(), f.plan()
			makeIn(t, root, p, 1, fakeOptions())
			d := disk.Dir{Root: root, FS: loadDisk(t, root, root)}
			part := must.Get(openOn(t, d.FS, root).Parts())(t)[0]
			want, spec := part.Files[plan.PositionsFile], part.Spec(readPlan(t, d), plan.PositionsFile)
			check := func(l record.CheckLevel) error { return l.Check(d, want.Name, spec, want) }
			missed := 0
			flipBytes(t, d, want.Name, 5, func() bool {
				if check(record.CheckLight) == nil {
					missed++
				}
				return errors.Is(check(record.CheckFull), fault.ErrCorrupt)
			})
			if (missed > 0) != (p.Format == plan.Parquet) {
				t.Errorf("%d flipped bits are missed", missed)
			}
			inode := d.FS.(*memoryDisk).get(d.Path(want.Name))
			inode.data = inode.data[:len(inode.data)-1]
			must.Fail(check(record.CheckLight))(t, fault.ErrCorrupt, "")
		})
	}
}
