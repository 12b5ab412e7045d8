package gameindex

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"selfplay/datasets"
	"selfplay/datasets/checking"
	"selfplay/datasets/plan"
	"selfplay/encode"
	"selfplay/internal/goroutine"
	"selfplay/internal/must"
)

// TestUpdateFollowsAGrowingDataset: new shards are added, and a short shard that a longer run made
// again is replaced. The result equals an index that was made at once.
func TestUpdateFollowsAGrowingDataset(t *testing.T) {
	s, cache := set{games: 5}, t.TempDir()
	root := s.made(t)
	ix := updated(t, root, cache)
	for _, n := range []uint64{20, 21, 44} {
		s.games = n
		s.make(t, root)
		must.Do(t, ix.Update(t.Context()))
		if got, want := everyGame(t, ix), everyGame(t, updated(t, root, "")); uint64(len(got)) != n || !slices.EqualFunc(got, want, equal) {
			t.Fatalf("%d games: %d in the index", n, len(got))
		}
	}
	must.Do(t, ix.Close())
	if !slices.EqualFunc(everyGame(t, loaded(t, root, cache, 6)), everyGame(t, ix), equal) {
		t.Error("the saved index has other games")
	}
}

// TestUpdateBesideARun: while a run makes and extends the dataset, every update has whole shards
// only, and none fails.
func TestUpdateBesideARun(t *testing.T) {
	root := set{games: 3}.made(t)
	ix := updated(t, root, "")
	g, ctx := goroutine.WithContext(t.Context())
	running, stop := context.WithCancel(ctx)
	g.Go(func() error {
		defer stop()
		set{games: 40}.make(t, root) // makes the short first shard again
		set{games: 75}.make(t, root)
		return nil
	})
	for last := false; !last; {
		last = running.Err() != nil
		if err := ix.Update(t.Context()); err != nil {
			t.Error(err)
		}
		st, sel := ix.Status(), selected(t, ix, Filter{})
		if n := sel.Total() % 8; st.Failed != nil || n != 0 && n != 3 {
			t.Errorf("%+v, %d games", st, sel.Total())
		}
	}
	must.Do(t, g.Wait())
	if got := everyGame(t, ix); len(got) != 75 || !slices.EqualFunc(got, everyGame(t, updated(t, root, "")), equal) {
		t.Errorf("%d games, want 75", len(got))
	}
}

// TestUpdateDropsWhatARepairRemoves: a damaged shard that was indexed stays until a repair removes
// it, and comes back when a run has made it again.
func TestUpdateDropsWhatARepairRemoves(t *testing.T) {
	s, cache := set{games: 30}, t.TempDir()
	root := s.made(t)
	ix := updated(t, root, cache)
	must.Do(t, ix.Close())
	flipByte(t, filepath.Join(root, ix.state.Load().find(1).commit.Files[plan.GamesFile].Name))
	indexed := func(when string, want int, missing bool) {
		t.Helper()
		for _, x := range []*Index{ix, updated(t, root, cache)} {
			must.Do(t, x.Update(t.Context()))
			if st := x.Status(); st.Indexed != want || (x.state.Load().find(1) == nil) != missing || st.Failed != nil {
				t.Errorf("%s: %+v", when, st)
			}
		}
	}
	indexed("damaged", 4, false)
	must.Get(checking.Repair(t.Context(), root, checking.RepairOptions{Verify: checking.VerifyOptions{Level: checking.VerifySums}}))(t)
	indexed("repaired", 3, true)
	if sel := selected(t, ix, Filter{}); sel.Total() != 22 {
		t.Errorf("%d games of three shards", sel.Total())
	}
	s.make(t, root)
	indexed("made again", 4, false)
}

// TestDamagedShardsAreLeftOut: and listed, until they can be read.
func TestDamagedShardsAreLeftOut(t *testing.T) {
	root := set{games: 30}.made(t)
	ix := loaded(t, root, "", 0)
	name := filepath.Join(root, "games", "validation-00001.parquet")
	flipByte(t, name)
	var first error
	for i := range 2 {
		must.Do(t, ix.Update(t.Context()))
		st := ix.Status()
		if st.Indexed != 3 || st.Shards != 4 || st.Games != 30 || len(st.Failed) != 1 ||
			st.Failed[0].Shard != 1 || !errors.Is(st.Failed[0], datasets.ErrCorrupt) {
			t.Fatalf("%+v", st)
		}
		if i == 0 {
			first = st.Failed[0].Err
		} else if st.Failed[0].Err != first {
			t.Error("a file that has not changed is read again")
		}
	}
	flipByte(t, name)
	must.Do(t, os.Chtimes(name, time.Time{}, time.Unix(1, 0))) // clocks of files are coarse
	if err := ix.Update(t.Context()); err != nil || ix.Status().Failed != nil || ix.Status().Indexed != 4 {
		t.Errorf("%+v, %v", ix.Status(), err)
	}
}

// TestShardsThatVanishAreNoFailure: a repair removes the record of a shard, then its files, while
// they are read.
func TestShardsThatVanishAreNoFailure(t *testing.T) {
	root := set{games: 30}.made(t)
	whole := updated(t, root, "")
	ix := loaded(t, root, "", 0)
	commits := must.Get(ix.commits())(t)
	for _, name := range []string{".selfplay/commits/00001.json", commits[1].Files[0].Name, commits[1].Files[1].Name} {
		must.Do(t, os.Remove(filepath.Join(root, name)))
	}
	u := ix.newUpdate(commits)
	if err := u.add(t.Context(), u.missing); err != nil || len(ix.failures) > 0 || len(u.shards) != 3 {
		t.Errorf("%d shards, failed %v, %v", len(u.shards), ix.failed(), err)
	}
	start := positionTarget(t, whole, whole.Shape().Game.New(""))
	f, err := whole.Find(t.Context(), Search{Target: start, Limit: 100})
	if err != nil || f.Failed != nil || len(f.Hits) != 22 {
		t.Errorf("%d hits, failed %v, %v", len(f.Hits), f.Failed, err)
	}
}

// TestAnotherDatasetIsNoticed: an index of a dataset never shows games of another one, which took
// its place, neither from memory nor from its file.
func TestAnotherDatasetIsNoticed(t *testing.T) {
	root, cache := set{games: 30}.made(t), t.TempDir()
	ix := updated(t, root, cache)
	must.Do(t, ix.Close())
	must.Do(t, os.RemoveAll(root))
	set{games: 30, seed: 1}.make(t, root)
	if err := ix.Update(t.Context()); !errors.Is(err, ErrReplaced) {
		t.Errorf("%v, want %v", err, ErrReplaced)
	}
	loaded(t, root, cache, 0)
}

// TestQueriesSeeOneState: while shards are added, a selection, its pages and its histograms agree.
func TestQueriesSeeOneState(t *testing.T) {
	root := set{games: 120}.made(t)
	ix := loaded(t, root, t.TempDir(), 0)
	ctx, done := context.WithCancel(t.Context())
	g := goroutine.New()
	g.Go(func() error { defer done(); return ix.Update(t.Context()) })
	for range 2 {
		g.Go(func() error {
			for last := false; !last; {
				last = ctx.Err() != nil
				sel := selected(t, ix, Filter{Plies: &Range{10, 50}})
				page, err := sel.Page(t.Context(), Order{By: Plies}, 0, 1000)
				if err != nil {
					return err
				}
				h, err := sel.Histogram(t.Context(), Reason, 9)
				if err != nil {
					return err
				}
				counted := 0
				for _, b := range h.Bars {
					counted += b.Games
				}
				if len(page) != sel.Total() || counted != sel.Total() || sel.state.games%8 != 0 {
					t.Errorf("%d of %d games, %d on the page, %d in the histogram", sel.Total(), sel.state.games, len(page), counted)
				}
				byPlies := func(a, b Game) int { return a.Plies - b.Plies }
				if numbers := gameNumbers(page); !slices.IsSortedFunc(page, byPlies) || len(slices.Compact(numbers)) != len(page) {
					t.Errorf("games %v", numbers)
				}
			}
			return nil
		})
	}
	must.Do(t, g.Wait())
	if st := ix.Status(); st.Indexed != 15 {
		t.Errorf("%+v", st)
	}
}

// gameNumbers returns the numbers of games, sorted.
func gameNumbers(games []Game) (list []uint64) {
	for _, g := range games {
		list = append(list, g.Game)
	}
	slices.Sort(list)
	return list
}

// TestCancelledUpdateKeepsWhatItHas.
func TestCancelledUpdateKeepsWhatItHas(t *testing.T) {
	root := set{games: 30}.made(t)
	ix := loaded(t, root, "", 0)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := ix.Update(ctx); !errors.Is(err, context.Canceled) || ix.Status().Shards != 4 || ix.Status().Indexed != 0 {
		t.Errorf("%+v, %v", ix.Status(), err)
	}
	if err := ix.Update(t.Context()); err != nil || ix.Status().Indexed != 4 {
		t.Errorf("%+v, %v", ix.Status(), err)
	}
}

// TestOpenRefusesWhatItCannotRead: with the errors of package datasets.
func TestOpenRefusesWhatItCannotRead(t *testing.T) {
	if _, err := Open(encode.Games(), t.TempDir(), ""); !errors.Is(err, datasets.ErrNotDataset) {
		t.Errorf("an empty folder: %v", err)
	}
}

// TestIndexWorksWithoutItsFile: if the cache cannot be written, Status says so.
func TestIndexWorksWithoutItsFile(t *testing.T) {
	root, cache := set{games: 9}.made(t), filepath.Join(t.TempDir(), "file")
	must.Do(t, os.WriteFile(cache, nil, 0o644))
	ix := updated(t, root, cache)
	if st := ix.Status(); st.Indexed != 2 || st.Saving == nil || ix.Close() == nil {
		t.Errorf("%+v", st)
	}
}
