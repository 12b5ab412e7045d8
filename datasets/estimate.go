package datasets

import (
	"cmp"
	"context"
	"runtime"
	"sync"
	"time"

	"selfplay/internal/goroutine"
)

// Remaining returns the number of games that a run of task t for games games would make,
// and the number of their shards. A short shard that the run would supersede counts with
// all its games.
func (p Plan) Remaining(t Task, committed []*Commit, games uint64) (n uint64, shards int) {
	games = max(games, endOf(committed))
	for _, s := range missingShards(p, committed, games) {
		if t.has(s) {
			_, want := p.games(s, games)
			n += want
			shards++
		}
	}
	return n, shards
}

// Estimate holds the cost of some games whose files were written to memory.
type Estimate struct {
	Games, Rows, Plies uint64
	Bytes              uint64        // of the files
	RowBytes           int           // of a row in memory
	Elapsed            time.Duration // for playing, writing and checking
}

// EstimateRun measures the cost of a run. It plays games for about budget, makes their
// rows and files and checks the files as Make does, with Options.OpenShards shards at once. It
// writes nothing to disk. It plays at least one game per open shard and at most games in
// total, and doubles the number of games until the budget is used up.
func EstimateRun(ctx context.Context, plan Plan, games uint64, budget time.Duration, o Options) (Estimate, error) {
	h, err := newHeader(plan, o.Description, o.About)
	if err != nil {
		return Estimate{}, err
	}
	open := min(uint64(cmp.Or(o.OpenShards, runtime.GOMAXPROCS(0))), games)
	for n := uint64(1); ; n *= 2 {
		e, err := estimateShards(ctx, h, open, n, o)
		if err != nil || 2*e.Elapsed > budget || 2*n*open > games || 2*n > uint64(h.plan.ShardGames) {
			return e, err
		}
	}
}

// estimateShards makes open shards of n games each, at once.
func estimateShards(ctx context.Context, h *header, open, n uint64, o Options) (Estimate, error) {
	var mu sync.Mutex
	total, begin := Estimate{}, time.Now()
	g, ctx := goroutine.WithContext(ctx)
	for i := range open {
		g.Go(func() error {
			e, err := estimateShard(ctx, h, i*n, n, o)
			mu.Lock()
			defer mu.Unlock()
			total.add(e)
			return err
		})
	}
	err := g.Wait()
	total.Elapsed = time.Since(begin)
	return total, err
}

// add adds the counts of a shard. Rows have the same size in every shard.
func (e *Estimate) add(shard Estimate) {
	e.Games += shard.Games
	e.Rows += shard.Rows
	e.Plies += shard.Plies
	e.Bytes += shard.Bytes
	e.RowBytes = shard.RowBytes
}
