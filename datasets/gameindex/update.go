package gameindex

import (
	"context"
	"iter"
	"runtime"
	"slices"

	"selfplay/datasets"
	"selfplay/datasets/record"
	"selfplay/internal/goroutine"
)

// Update makes the index equal to the dataset as it is now: it reads the shards that have been
// committed since the last call and drops those that are no longer committed. Status and queries
// see the shards as they are added. A shard that cannot be read is left out and listed in
// Status.Failed until its file changes. Update saves the index when it has grown enough.
//
// It returns an error if the records cannot be read, if another dataset has taken the place
// (ErrReplaced), or if ctx ends.
func (ix *Index) Update(ctx context.Context) error {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	commits, err := ix.commits()
	if err != nil {
		return err
	}
	u := ix.newUpdate(commits)
	for len(u.missing) > 0 {
		batch := u.missing[:min(len(u.missing), u.batch())]
		u.missing = u.missing[len(batch):]
		if err := u.add(ctx, batch); err != nil {
			return err
		}
		if u.state.games-ix.saved >= max(saveGames, ix.saved) {
			ix.save(u.state)
		}
	}
	if n := u.state.games - ix.saved; n > ix.saved/8 {
		ix.save(u.state)
	}
	u.publish()
	return nil
}

// Close saves what has been added since the index was saved last, for which it writes the whole
// file. Call it once, at the end: Update saves often enough in between. Queries still work after it.
func (ix *Index) Close() error {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	if s := ix.state.Load(); s.games != ix.saved {
		ix.save(s)
	}
	return ix.saving
}

// saveGames is the least number of new games for which a long Update saves in between.
const saveGames = 1 << 18

// batch returns the number of shards that are read before they are published together: more in a
// large index, because publishing copies the list of shards.
func (u *update) batch() int { return max(4*runtime.GOMAXPROCS(0), len(u.shards)/32) }

// commits reads the records of the committed shards.
func (ix *Index) commits() ([]*record.Commit, error) {
	now, err := datasets.OpenRooted(ix.root)
	if err != nil {
		return nil, err
	}
	if now.PlanHash() != ix.ds.PlanHash() {
		return nil, ErrReplaced
	}
	return ix.records.Look()
}

// update is an update in progress.
type update struct {
	ix      *Index
	commits []*record.Commit
	missing []*record.Commit // the shards to read
	shards  []*shard         // of the index, in order
	pairs   *numbering
	state   *state // as it was published last
}

// newUpdate publishes the index without the shards that are no longer committed.
func (ix *Index) newUpdate(commits []*record.Commit) *update {
	u, old := &update{ix: ix, commits: commits}, ix.state.Load()
	u.pairs = newNumbering(old.players)
	failures := map[int]*failure{}
	for _, c := range commits {
		sh, f := old.find(c.Shard), ix.failures[c.Shard]
		switch {
		case sh != nil && sh.same(c):
			u.shards = append(u.shards, sh)
		case f != nil && ix.isSame(f, c):
			failures[c.Shard] = f
		default:
			u.missing = append(u.missing, c)
		}
	}
	ix.failures = failures
	if len(u.shards) < len(old.shards) {
		ix.saved = 0 // the file has games that are gone
	}
	u.publish()
	return u
}

func (u *update) publish() {
	u.state = newState(slices.Clone(u.shards), u.pairs.players)
	u.ix.publish(u.commits, u.state)
}

// add reads shards and publishes them.
func (u *update) add(ctx context.Context, batch []*record.Commit) error {
	results := make([]*built, len(batch))
	errs := make([]error, len(batch))
	err := divide(ctx, len(batch), func(numbers iter.Seq[int]) error {
		for i := range numbers {
			errs[i] = goroutine.Catch(func() (err error) { results[i], err = u.ix.newBuilder().build(batch[i]); return err })
		}
		return nil
	})
	if err != nil {
		return err
	}
	for i, b := range results {
		if errs[i] != nil {
			u.ix.fail(batch[i], errs[i])
			continue
		}
		ids := u.pairs.adopt(&b.players)
		for row, id := range b.shard.players {
			b.shard.players[row] = ids[id]
		}
		at, _ := slices.BinarySearchFunc(u.shards, b.commit.Shard, func(sh *shard, n int) int { return sh.commit.Shard - n })
		u.shards = slices.Insert(u.shards, at, b.shard)
	}
	u.publish()
	return nil
}
