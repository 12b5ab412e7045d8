package datasets

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"path"
	"runtime"
	"slices"
	"sync"

	"selfplay/internal/goroutine"
)

// recordSet is what Verify keeps of the commit records. Whole records would take about 1 KB
// a shard.
type recordSet struct {
	mu     sync.Mutex // guards the fields below until all records are read
	all    *tally
	listed *tally // of the shards in the stored manifest
	list   []shardRecord
}

// shardRecord is what a recordSet keeps of one record.
type shardRecord struct {
	shard int
	games uint64
	sum   entrySum // of its entry in a manifest
}

// readRecords reads all commit records, several at once, and reports the invalid ones.
func (v *verifier) readRecords(ctx context.Context, stored storedManifest) (*recordSet, error) {
	r := &recordSet{all: newTally(v.ds.h.plan), listed: newTally(v.ds.h.plan)}
	listed := stored.shards()
	err := parallel(ctx, v.recordNames(), func(s int) {
		c, err := readCommit(v.ds.d, v.ds.h, s)
		switch {
		case errors.Is(err, fs.ErrNotExist): // a run is superseding the shard
		case err != nil:
			v.problem(ProblemRecord, s, commitName(s), err)
		default:
			r.add(c, listed[s])
		}
	})
	slices.SortFunc(r.list, func(a, b shardRecord) int { return cmp.Compare(a.shard, b.shard) })
	return r, err
}

// recordNames returns the shards that have a record, and reports files that are none.
func (v *verifier) recordNames() (shards []int) {
	for _, name := range v.list(commitsName) {
		s, ok := shardOfRecord(name)
		if !ok {
			v.problem(ProblemForeign, noShard, path.Join(commitsName, name), errNotRecord)
			continue
		}
		shards = append(shards, s)
	}
	return shards
}

func (r *recordSet) add(c *Commit, listed bool) {
	entry := c.manifestShard()
	record := shardRecord{c.Shard, c.Games, entry.sum()}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.list = append(r.list, record)
	r.all.add(c)
	if listed {
		r.listed.add(c)
	}
}

// shards returns the shards that have a valid record, in order.
func (r *recordSet) shards() []int {
	list := make([]int, len(r.list))
	for i, s := range r.list {
		list[i] = s.shard
	}
	return list
}

// games returns the committed games by shard.
func (r *recordSet) games() map[int]uint64 {
	games := make(map[int]uint64, len(r.list))
	for _, s := range r.list {
		games[s.shard] = s.games
	}
	return games
}

// end returns the number of the game after the last committed one.
func (r *recordSet) end(p Plan) uint64 {
	if len(r.list) == 0 {
		return 0
	}
	last := r.list[len(r.list)-1]
	first, _ := p.games(last.shard, ^uint64(0))
	return first + last.games
}

// parallel calls do for every shard, for up to GOMAXPROCS at once. It returns the cause of
// ctx when ctx ends, and a panic of do as an error.
func parallel(ctx context.Context, shards []int, do func(s int)) error {
	g := goroutine.New()
	g.SetLimit(runtime.GOMAXPROCS(0))
	for _, s := range shards {
		if ctx.Err() != nil {
			break
		}
		g.Go(func() error {
			do(s)
			return nil
		})
	}
	return cmp.Or(g.Wait(), context.Cause(ctx))
}
