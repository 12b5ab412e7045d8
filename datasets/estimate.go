package datasets

import (
	"bytes"
	"cmp"
	"context"
	"runtime"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"selfplay/datasets/colfile"
	"selfplay/encode"
	"selfplay/engine"
)

// PlanOf returns a plan as Make writes it, complete, and its hash.
func PlanOf(plan Plan, d Description) (Plan, string, error) {
	h, err := newHeader(plan, d, About{})
	if err != nil {
		return Plan{}, "", err
	}
	return h.plan, h.hash, nil
}

// Remaining returns how many games a run for so many would make beside those that are
// there, and in how many shards: all of them, or those of a task. A short shard that is
// to have more games is made again.
func (p Plan) Remaining(t Task, there []*Commit, games uint64) (n uint64, shards int) {
	games = atLeast(there, games)
	for _, s := range missingShards(p, there, games) {
		if t.has(s) {
			_, want := p.games(s, games)
			n += want
			shards++
		}
	}
	return n, shards
}

// Estimate is what some games took that were made into files in memory.
type Estimate struct {
	Games, Rows, Plies uint64
	Bytes              uint64 // of the files
	Row                int    // bytes of a row before it is compressed
	Took               time.Duration
}

// MakeEstimate plays games for about so long, makes rows and files of them and checks these as
// Make does, all at once, but keeps nothing and touches no disk. It plays at least one
// game for each shard that would be open, and at most games in all.
func MakeEstimate(ctx context.Context, plan Plan, games uint64, long time.Duration, o Options) (Estimate, error) {
	h, err := newHeader(plan, o.Description, o.About)
	if err != nil {
		return Estimate{}, err
	}
	open := min(uint64(cmp.Or(o.Open, runtime.GOMAXPROCS(0))), games)
	for n := uint64(1); ; n *= 2 {
		t, err := estimate(ctx, h, open, n, o)
		if err != nil || 2*t.Took > long || 2*n*open > games || 2*n > uint64(h.plan.ShardGames) {
			return t, err
		}
	}
}

// estimate makes open shards of n games.
func estimate(ctx context.Context, h *header, open, n uint64, o Options) (Estimate, error) {
	var mu sync.Mutex
	total, begin := Estimate{}, time.Now()
	g, ctx := errgroup.WithContext(ctx)
	for i := range open {
		g.Go(func() error {
			t, err := estimateShard(ctx, h, i*n, n, o)
			mu.Lock()
			defer mu.Unlock()
			total.Games += t.Games
			total.Rows += t.Rows
			total.Plies += t.Plies
			total.Bytes += t.Bytes
			total.Row = t.Row
			return err
		})
	}
	err := g.Wait()
	total.Took = time.Since(begin)
	return total, err
}

func estimateShard(ctx context.Context, h *header, first, n uint64, o Options) (t Estimate, err error) {
	list := [2]*encode.Table{encode.NewTable(h.description.Columns), encode.NewTable(GameColumns())}
	rows, dropped := o.Rows(), make([]uint64, len(h.plan.Filter))
	err = o.Play(ctx, numbers(first, n), nil, func(r *engine.Record) error {
		t.Games++
		t.Plies += uint64(len(r.Actions))
		AppendGame(list[gamesFile], r)
		return rows(r, list[positionsFile], dropped)
	})
	if err != nil {
		return t, err
	}
	t.Rows = uint64(list[positionsFile].Rows)
	for _, data := range list[positionsFile].Data {
		t.Row += len(data)
	}
	t.Row /= max(1, list[positionsFile].Rows)
	for i, table := range list {
		size, err := estimateFile(h.spec(tables[i], 0, first, n), table)
		if err != nil {
			return t, err
		}
		t.Bytes += uint64(size)
	}
	return t, nil
}

// estimateFile writes a table as a file and reads it back.
func estimateFile(s colfile.Spec, t *encode.Table) (size int, err error) {
	var file bytes.Buffer
	w, err := colfile.NewWriter(&file, s)
	if err != nil {
		return 0, err
	}
	digest := colfile.NewRowDigest(s.Columns)
	if t.Rows > 0 {
		digest.Add(t)
		if err := w.Write(t); err != nil {
			return 0, err
		}
	}
	if err := w.Close(); err != nil {
		return 0, err
	}
	r, err := colfile.NewReader(bytes.NewReader(file.Bytes()), s)
	if err != nil {
		return 0, err
	}
	return file.Len(), CheckFull.compare(r, s, Digest{Rows: digest.Rows, RowDigest: digest.Sum()})
}
