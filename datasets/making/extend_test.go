package making

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"

	"golang.org/x/sync/errgroup"

	"selfplay/datasets/checking"
	"selfplay/datasets/internal/fault"
	"selfplay/datasets/plan"
	"selfplay/datasets/status"
	"selfplay/engine"
	"selfplay/internal/must"
)

// TestExtensionTakesGamesAsTheyAre: those of a short shard are not played again, and the bytes are those of one run.
func TestExtensionTakesGamesAsTheyAre(t *testing.T) {
	for _, f := range formats[:4] {
		p := f.plan()
		p.ShardGames = 10
		whole, root := made(t, p, 35), made(t, p, 13)
		var mu sync.Mutex
		games, events := map[uint64]int{}, []status.Event{}
		o := fakeOptions()
		o.Play = counted(fakePlay, &mu, games)
		o.Notify = func(e status.Event) {
			if e.Kind == status.EventExtended || e.Kind == status.EventCommitted && e.Shard == 1 {
				events = append(events, status.Event{Kind: e.Kind, Shard: e.Shard, Games: e.Games, Missing: e.Missing})
			}
		}
		s := makeIn(t, root, p, 35, o)
		sameTree(t, tree(t, root), tree(t, whole))
		if want := []status.Event{{Kind: status.EventExtended, Shard: 1, Games: 3, Missing: 7}, {Kind: status.EventCommitted, Shard: 1, Games: 7}}; len(events) != 2 || events[0].Missing != 7 ||
			events[0].Games != want[0].Games || events[1].Games != want[1].Games {
			t.Errorf("%s: events %+v, want %+v", f.name, events, want)
		}
		if len(games) != 22 || games[12] != 0 || games[13] != 1 || s.Games != 35 || s.Shards != 4 || s.Made != 3 {
			t.Errorf("%s: %d games were played, summary %+v", f.name, len(games), s)
		}
	}
}

// TestStoppedExtensionKeepsWhatCounts: the rows of the short shard and of those before it count until a longer shard is
// committed. Info, census and verify agree, and finalize completes the dataset with them.
func TestStoppedExtensionKeepsWhatCounts(t *testing.T) {
	p, root := fakePlan(), t.TempDir()
	p.ShardGames = 10
	before := makeIn(t, root, p, 13, fakeOptions())
	short := tree(t, root)
	ctx, cancel := context.WithCancel(t.Context())
	o := fakeOptions()
	o.OpenShards, o.Play = 1, stopAfter(2, cancel)
	s, err := Make(ctx, root, p, 40, o)
	must.Fail(s, err)(t, fault.ErrIncomplete, "")
	if s.Games != 13 || s.Rows != before.Rows || s.Journaled == 0 {
		t.Errorf("stopped: %+v", s)
	}
	r := must.Get(checking.Verify(t.Context(), root, checking.VerifyOptions{Level: checking.VerifyDeep, Rows: fakeRows}))(t)
	info := must.Get(openOn(t, unsynced{}, root).Info())(t)
	count := countIn(t, openOn(t, unsynced{}, root).Census())
	if !r.OK() || r.Games != 13 || r.Rows != before.Rows || len(r.Missing) != 3 {
		t.Errorf("verify: %+v", r)
	}
	if info.Games != 13 || info.Rows != before.Rows || info.ShardsDone != 1 || info.Journaled != s.Journaled || info.Complete {
		t.Errorf("info: %+v", info)
	}
	if committed, journaled := done(&count); committed != 13 || journaled != s.Journaled || count.Rows != before.Rows {
		t.Errorf("census: %+v", count)
	}
	if final, err := Finalize(copyOf(t, root), false); err != nil || len(final.Missing) != 3 {
		t.Errorf("finalize: %+v, %v", final, err)
	}
	ended := copyOf(t, root)
	if final, err := Finalize(ended, true); err != nil || final.Missing != nil {
		t.Errorf("finalize as it stands: %+v, %v", final, err)
	}
	sameTree(t, tree(t, ended), short)
	makeIn(t, root, p, 40, fakeOptions())
	sameTree(t, tree(t, root), tree(t, made(t, p, 40)))
}

// TestTasksExtendAShard: all at once, or one after the other without waiting, with the same result.
func TestTasksExtendAShard(t *testing.T) {
	whole := made(t, fakePlan(), 9)
	for round := range rounds(6) {
		root := made(t, fakePlan(), 4)
		var ready, g = sync.WaitGroup{}, errgroup.Group{}
		ready.Add(8)
		for i := range 8 {
			g.Go(func() error {
				o := taskOptions(0, 1)
				o.OpenShards, o.Build = 1, []string{"one", "another"}[i%2]
				o.Play = func(ctx context.Context, games []uint64, journal engine.Journal, sink func(*engine.Record) error) error {
					if games[0] == 4 && round%2 == 0 { // else they begin while others have extended the shard, or do
						ready.Done()
						ready.Wait()
					}
					return fakePlay(ctx, games, journal, sink)
				}
				_, err := Make(context.Background(), root, fakePlan(), 9, o)
				return err
			})
		}
		must.Do(t, g.Wait())
		noProblems(t, root)
		got, want := finalized(t, root), tree(t, whole)
		for s := range 3 {
			delete(got, plan.CommitName(s)) // it holds the build
			delete(want, plan.CommitName(s))
		}
		sameTree(t, got, want)
	}
}

// TestApproximateExtensionKeepsItsGames: tasks whose games come out differently extend a shard at once. The games that
// counted stay.
func TestApproximateExtensionKeepsItsGames(t *testing.T) {
	for range rounds(4) {
		root := t.TempDir()
		makeIn(t, root, approximatePlan(), 4, ending(fakeOptions(), engine.PlyLimit))
		var turn atomic.Int64
		both := make(chan bool)
		var g errgroup.Group
		for _, reason := range reasons[:2] {
			o := ending(taskOptions(0, 1), reason)
			o.OpenShards = 1
			play := o.Play
			o.Play = func(ctx context.Context, games []uint64, journal engine.Journal, sink func(*engine.Record) error) error {
				if turn.Add(1) == 2 {
					close(both)
				}
				<-both
				return play(ctx, games, journal, sink)
			}
			g.Go(func() error {
				_, err := Make(t.Context(), root, approximatePlan(), 6, o)
				return err
			})
		}
		must.Do(t, g.Wait())
		finalized(t, root)
		noProblems(t, root)
		ds := openOn(t, unsynced{}, root)
		for r, err := range must.Get(ds.Source(t.Context()))(t).All() {
			must.Do(t, err)
			if old := r.Game < 4; old != (r.Outcome.Reason == engine.PlyLimit) {
				t.Errorf("game %d ended by %v", r.Game, r.Outcome.Reason)
			}
		}
	}
}

// TestFilesOfAnExtendedShardGoOnlyBesideWholeOnes: the record of the longer shard alone proves nothing.
func TestFilesOfAnExtendedShardGoOnlyBesideWholeOnes(t *testing.T) {
	root := made(t, fakePlan(), 4)
	short := tree(t, root)
	makeIn(t, root, fakePlan(), 9, fakeOptions())
	const old = "games/train-00001-1.parquet"
	write(t, root, old, short[old])
	if r := must.Get(checking.Verify(t.Context(), root, checking.VerifyOptions{}))(t); !r.OK() || len(r.Leftovers) != 1 || r.Leftovers[0] != old {
		t.Errorf("%+v", r)
	}
	broken := copyOf(t, root)
	remove(t, broken, "positions/train-00001.parquet")
	if _, err := Finalize(broken, false); !errors.Is(err, fault.ErrCorrupt) || tree(t, broken)[old] == "" {
		t.Errorf("finalize: %v", err)
	}
	repairIn(t, broken, false)
	if tree(t, broken)[old] == "" {
		t.Error("a repair has removed the file")
	}
	must.Get(Finalize(root, false))(t)
	if tree(t, root)[old] != "" {
		t.Error("the file is still there")
	}
}
