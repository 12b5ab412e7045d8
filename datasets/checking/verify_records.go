package checking

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"path"
	"runtime"

	"selfplay/datasets/plan"
	"selfplay/datasets/record"
	"selfplay/internal/goroutine"
)

// readRecords reads all commit records, several at once, and reports the invalid ones.
func (v *verifier) readRecords(ctx context.Context, stored record.StoredManifest) (*record.Set, error) {
	r, listed := record.NewSet(v.h.Plan), stored.Shards()
	err := parallel(ctx, v.recordNames(), func(s int) {
		c, err := record.Read(v.d, v.h, s)
		switch {
		case errors.Is(err, fs.ErrNotExist): // it is being repaired
		case err != nil:
			v.problem(ProblemRecord, s, plan.CommitName(s), err)
		default:
			r.Add(c, listed[s])
		}
	})
	r.Sort()
	return r, err
}

// recordNames returns the shards that have a record, and reports files that are none.
func (v *verifier) recordNames() (shards []int) {
	for _, name := range v.list(plan.CommitsFolder) {
		s, ok := plan.ShardOfRecord(name)
		if !ok {
			v.problem(ProblemForeign, noShard, path.Join(plan.CommitsFolder, name), record.ErrName)
			continue
		}
		shards = append(shards, s)
	}
	return shards
}

// parallel calls do for every shard, for up to GOMAXPROCS at once. It returns the cause of
// ctx when ctx ends, and a panic of do as an error.
func parallel[S any](ctx context.Context, shards []S, do func(s S)) error {
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
