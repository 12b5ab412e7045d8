package making

import (
	"context"
	"runtime"
	"sync"
	"testing"

	"selfplay/engine"
	"selfplay/internal/must"
)

// TestOpenShardTakesLittleMemory: with 128 open shards a run has to stay below 1.5 GB. The
// garbage collector lets the heap grow to twice what is live.
func TestOpenShardTakesLittleMemory(t *testing.T) {
	const shards, limit = 8, 5 << 20
	p := fakePlan()
	p.ShardGames, p.Validation = 440, 0 // 61,000 rows: an almost full row group
	o := fakeOptions()
	o.OpenShards = shards
	var full, measured sync.WaitGroup
	full.Add(shards)
	measured.Add(1)
	o.Play = func(ctx context.Context, games []uint64, journal engine.Journal, sink func(*engine.Record) error) error {
		return fakeGames(ctx, games, 80, 200, journal, func(r *engine.Record) error {
			err := sink(r)
			if r.Game == games[len(games)-1] {
				full.Done()
				measured.Wait()
			}
			return err
		})
	}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	done := make(chan error)
	go func() {
		_, err := Make(t.Context(), t.TempDir(), p, shards*uint64(p.ShardGames), o)
		done <- err
	}()
	ready := make(chan struct{})
	go func() {
		full.Wait()
		close(ready)
	}()
	select {
	case <-ready:
	case err := <-done:
		t.Fatalf("the run ends before its shards are full: %v", err)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	measured.Done()
	must.Do(t, <-done)
	each := (int64(after.HeapAlloc) - int64(before.HeapAlloc)) / shards
	t.Logf("%d KiB per open shard", each>>10)
	if each > limit {
		t.Errorf("an open shard takes %d KiB, want at most %d", each>>10, limit>>10)
	}
}
