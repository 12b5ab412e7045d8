package making

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"golang.org/x/sync/errgroup"

	"selfplay/datasets"
	"selfplay/datasets/checking"
	"selfplay/datasets/internal/fault"
	"selfplay/datasets/plan"
	"selfplay/datasets/status"
	"selfplay/engine"
	"selfplay/internal/must"
)

// taskOptions returns the options of one task.
func taskOptions(index, count int) Options {
	o := fakeOptions()
	o.Task = Task{index, count}
	return o
}

// finalized finalizes a complete dataset and returns its tree.
func finalized(t *testing.T, root string) map[string]string {
	t.Helper()
	if final, err := Finalize(root, false); err != nil || final.Missing != nil {
		t.Fatalf("missing %v, %v", final.Missing, err)
	}
	return tree(t, root)
}

// TestTasksMakeTheDatasetOfOneRun, for several numbers of tasks; each task runs twice, all
// at the same time.
func TestTasksMakeTheDatasetOfOneRun(t *testing.T) {
	whole := made(t, fakePlan(), 21)
	want := tree(t, whole)
	for _, count := range []int{1, 2, 3, 9} {
		root := filepath.Join(t.TempDir(), "new")
		os.Mkdir(root, 0o755)
		var g errgroup.Group
		for i := range 2 * count {
			g.Go(func() error {
				_, err := Make(context.Background(), root, fakePlan(), 21, taskOptions(i/2, count))
				return err
			})
		}
		if err := g.Wait(); err != nil {
			t.Fatalf("%d tasks: %v", count, err)
		}
		sameTree(t, finalized(t, root), want)
	}
}

// TestEightTasksMakeOneShard at the same time, and leave no other file.
func TestEightTasksMakeOneShard(t *testing.T) {
	whole := made(t, fakePlan(), 3)
	want := tree(t, whole)
	for range 10 {
		root := t.TempDir()
		var ready, g = sync.WaitGroup{}, errgroup.Group{}
		ready.Add(8)
		for range 8 {
			g.Go(func() error {
				o := taskOptions(0, 1)
				o.Play = func(ctx context.Context, games []uint64, journal engine.Journal, sink func(*engine.Record) error) error {
					ready.Done() // all tasks begin at the same time
					ready.Wait()
					return fakePlay(ctx, games, journal, sink)
				}
				_, err := Make(context.Background(), root, fakePlan(), 3, o)
				return err
			})
		}
		must.Do(t, g.Wait())
		sameTree(t, finalized(t, root), want)
	}
}

// TestStoppedTaskCountsItsOwnGames: Summary.Journaled has no games of other tasks and none
// beyond the target.
func TestStoppedTaskCountsItsOwnGames(t *testing.T) {
	root := t.TempDir()
	stopped := func(o Options, games, want uint64) {
		t.Helper()
		if s, err := Make(t.Context(), root, fakePlan(), games, o); !errors.Is(err, fault.ErrIncomplete) || s.Journaled != want {
			t.Errorf("%v, %d journaled games, want %d", err, s.Journaled, want)
		}
	}
	for i := range 3 {
		o := taskOptions(i, 3)
		o.Play = func(ctx context.Context, games []uint64, journal engine.Journal, sink func(*engine.Record) error) error {
			return errors.Join(fakePlay(ctx, games[:2], journal, sink), fault.ErrIncomplete)
		}
		stopped(o, 9, 2)
	}
	o := fakeOptions()
	o.Play = playNothing
	stopped(o, 9, 6)
	committed := make(chan bool)
	o.Notify = func(e status.Event) {
		if e.Kind == status.EventCommitted { // shard 1, whose only game of this target is journaled
			close(committed)
		}
	}
	o.Play = func(context.Context, []uint64, engine.Journal, func(*engine.Record) error) error {
		<-committed // shard 0 stops after shard 1 has begun
		return fault.ErrIncomplete
	}
	stopped(o, 4, 2)
}

// TestTasksWithDifferentGamesAreNondeterminism: the second shard with other content is not
// accepted.
func TestTasksWithDifferentGamesAreNondeterminism(t *testing.T) {
	root := t.TempDir()
	var turn atomic.Int64
	both := make(chan bool)
	task := func(reason engine.Reason) error {
		o := taskOptions(0, 1)
		o.NoJournal = true
		o.Play = func(ctx context.Context, games []uint64, journal engine.Journal, sink func(*engine.Record) error) error {
			if turn.Add(1) == 2 {
				close(both)
			}
			<-both
			return fakePlay(ctx, games, journal, func(r *engine.Record) error {
				r.Outcome.Reason = reason
				return sink(r)
			})
		}
		_, err := Make(context.Background(), root, fakePlan(), 3, o)
		return err
	}
	var g errgroup.Group
	for _, reason := range []engine.Reason{engine.Checkmate, engine.Stalemate} {
		g.Go(func() error { return task(reason) })
	}
	must.Fail(g.Wait())(t, fault.ErrNondeterminism, "")
}

func TestTasksRefuseOtherGames(t *testing.T) {
	root := made(t, fakePlan(), 4)
	before := tree(t, root)
	for _, c := range []struct {
		games uint64
		task  Task
		want  string
	}{
		{8, Task{0, 2}, "8 games: not for tasks that share a dataset: want a multiple of 3"},
		{9, Task{2, 2}, "task 2 of 2"},
		{9, Task{-1, 2}, "task -1 of 2"},
	} {
		o := fakeOptions()
		o.Task = c.task
		if _, err := Make(context.Background(), root, fakePlan(), c.games, o); !errors.Is(err, datasets.ErrNotForTasks) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%d games, task %v: %v, want %q", c.games, c.task, err, c.want)
		}
	}
	sameTree(t, tree(t, root), before)
}

// TestFinalizeReturnsMissingShards, and an exclusive run makes them.
func TestFinalizeReturnsMissingShards(t *testing.T) {
	root, whole := t.TempDir(), t.TempDir()
	makeIn(t, whole, fakePlan(), 15, fakeOptions())
	must.Get(Make(context.Background(), root, fakePlan(), 15, taskOptions(1, 3)))(t)
	if final, err := Finalize(root, false); err != nil || len(final.Missing) != 3 || final.Missing[0] != 0 || final.Missing[1] != 2 || final.Missing[2] != 3 {
		t.Errorf("missing %v, %v", final.Missing, err)
	}
	if got := problems(t, root, checking.VerifySums); got != "" {
		t.Error(got)
	}
	makeIn(t, root, fakePlan(), 15, fakeOptions())
	sameTree(t, tree(t, root), tree(t, whole))
}

// TestStoppedRunIsCompleteAsItStands: it equals the dataset of the committed games, and a
// run can still extend it.
func TestStoppedRunIsCompleteAsItStands(t *testing.T) {
	root, six, whole := t.TempDir(), t.TempDir(), t.TempDir()
	makeIn(t, six, fakePlan(), 6, fakeOptions())
	makeIn(t, whole, fakePlan(), 15, fakeOptions())
	o := fakeOptions()
	o.OpenShards = 1
	o.Play = func(ctx context.Context, games []uint64, journal engine.Journal, sink func(*engine.Record) error) error {
		if games[0] == 6 {
			return fault.ErrIncomplete
		}
		return fakePlay(ctx, games, journal, sink)
	}
	must.Fail(Make(context.Background(), root, fakePlan(), 15, o))(t, fault.ErrIncomplete, "")
	if final, err := Finalize(root, false); err != nil || len(final.Missing) != 3 {
		t.Errorf("missing %v, %v", final.Missing, err)
	}
	if final, err := Finalize(root, true); err != nil || final.Missing != nil {
		t.Errorf("as it stands: missing %v, %v", final.Missing, err)
	}
	sameTree(t, tree(t, root), tree(t, six))
	ds := must.Get(datasets.Open(root))(t)
	if i, err := ds.Info(); err != nil || !i.Complete || i.Target != 6 {
		t.Errorf("%+v, %v", i, err)
	}
	makeIn(t, root, fakePlan(), 15, fakeOptions())
	sameTree(t, tree(t, root), tree(t, whole))

	none := t.TempDir()
	o.Play = func(context.Context, []uint64, engine.Journal, func(*engine.Record) error) error {
		return fault.ErrIncomplete
	}
	must.Fail(Make(context.Background(), none, fakePlan(), 15, o))(t, fault.ErrIncomplete, "")
	before := tree(t, none)
	must.Fail(Finalize(none, true))(t, fault.ErrIncomplete, "no shard is committed")
	sameTree(t, tree(t, none), before)
	gaps := t.TempDir() // has only shards 1 and 4, which stay
	must.Get(Make(context.Background(), gaps, fakePlan(), 18, taskOptions(1, 3)))(t)
	if final, err := Finalize(gaps, true); err != nil || !slices.Equal(final.Missing, []int{0, 2, 3}) {
		t.Errorf("with gaps: missing %v, %v", final.Missing, err)
	}
}

// TestTasksAndRunsLockEachOtherOut, but tasks share the lock.
func TestTasksAndRunsLockEachOtherOut(t *testing.T) {
	root := t.TempDir()
	started, finish, done := make(chan bool), make(chan bool), make(chan error)
	o := taskOptions(0, 2)
	o.OpenShards = 1
	o.Play = func(ctx context.Context, games []uint64, journal engine.Journal, sink func(*engine.Record) error) error {
		if games[0] == 0 {
			started <- true
			<-finish
		}
		return fakePlay(ctx, games, journal, sink)
	}
	go func() {
		_, err := Make(context.Background(), root, fakePlan(), 6, o)
		done <- err
	}()
	<-started
	var locked *datasets.LockError
	_, err := Make(context.Background(), root, fakePlan(), 6, fakeOptions())
	if !errors.As(err, &locked) || locked.Holder.PID != os.Getpid() {
		t.Errorf("%v", err)
	}
	must.Fail(Finalize(root, false))(t, datasets.ErrLocked, "")
	if _, err := Make(context.Background(), root, fakePlan(), 6, taskOptions(1, 2)); err != nil {
		t.Error(err)
	}
	close(finish)
	must.Do(t, <-done)
	finalized(t, root)
}

// TestFilesWithoutRecordOfAShardThatGrows: they are pending, and go when the shard has its games.
func TestFilesWithoutRecordOfAShardThatGrows(t *testing.T) {
	whole := made(t, fakePlan(), 9)
	for _, o := range []Options{fakeOptions(), taskOptions(0, 1)} {
		root := made(t, fakePlan(), 4)
		remove(t, root, plan.ManifestName)
		remove(t, root, plan.CommitName(1)) // the run was killed before it recorded shard 1
		makeIn(t, root, fakePlan(), 9, o)
		sameTree(t, finalized(t, root), tree(t, whole))
	}
}
