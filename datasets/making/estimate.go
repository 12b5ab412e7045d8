package making

import (
	"cmp"
	"context"
	"runtime"
	"sync"

	"selfplay/datasets/plan"
	"selfplay/datasets/record"
	"selfplay/internal/goroutine"
)

// Remaining returns the number of games that a run of task t for games games would play,
// and the number of their shards. The games of a short shard are not played again.
func Remaining(p plan.Plan, t Task, committed []*record.Commit, games uint64) (n uint64, shards int) {
	games = max(games, record.EndOf(committed))
	have := map[int]uint64{}
	for _, c := range committed {
		have[c.Shard] = c.Games
	}
	for _, s := range record.Missing(p, committed, games) {
		if t.has(s) {
			_, want := p.GamesOf(s, games)
			n += want - have[s]
			shards++
		}
	}
	return n, shards
}

// EstimateRun measures a part of a run. It plays games, makes their rows and files and
// checks the files as Make does, with Options.OpenShards shards of games games each at once;
// the first game has the number first. It writes nothing to disk.
func EstimateRun(ctx context.Context, p plan.Plan, first, games uint64, o Options) (Estimate, error) {
	h, err := plan.New(p, o.Description, o.About)
	if err != nil {
		return Estimate{}, err
	}
	var mu sync.Mutex
	var total Estimate
	g, ctx := goroutine.WithContext(ctx)
	for i := range cmp.Or(o.OpenShards, runtime.GOMAXPROCS(0)) {
		g.Go(func() error {
			e, err := estimateShard(ctx, h, first+uint64(i)*games, games, o)
			mu.Lock()
			defer mu.Unlock()
			total.Add(e)
			return err
		})
	}
	return total, g.Wait()
}
