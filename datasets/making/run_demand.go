package making

import (
	"context"
	"sync"

	"selfplay/datasets"
	"selfplay/engine"
	"selfplay/internal/goroutine"
)

// Games that wait for a model are played by the hundred. Several shards are then open at once, and a long
// game keeps its shard open while others begin. The number of open shards is bounded by the games at once:
// a shard begins only when those before it have no game left to hand out.

// makeOnDemand makes the missing shards. Each begins when Play can play more games.
func (r *run) makeOnDemand(ctx context.Context, missing []int) error {
	g, groupCtx := goroutine.WithContext(ctx)
	idle := new(makers)
	for i, s := range missing {
		if i > 0 && !r.o.AwaitIdle(groupCtx) || r.noteStop(nil) {
			break
		}
		begun := make(chan struct{})
		g.Go(func() error { return r.makeOne(groupCtx, idle, s, sync.OnceFunc(func() { close(begun) })) })
		<-begun
	}
	err := g.Wait()
	if err == nil && ctx.Err() != nil {
		return context.Cause(ctx) // maybe AwaitIdle ended before the last shard began
	}
	return err
}

// makeOne makes a shard. It calls begun when Play has its games, or at the end.
func (r *run) makeOne(ctx context.Context, idle *makers, s int, begun func()) error {
	defer begun()
	m := idle.take()
	if m == nil {
		m = r.newMaker()
	}
	m.play = playAfter(begun, r.o.Play)
	err := r.makeShard(ctx, m, s)
	if err != nil && !r.noteStop(err) {
		return err
	}
	idle.put(m)
	return nil
}

// playAfter returns a Play that calls begun first.
func playAfter(begun func(), play datasets.Play) datasets.Play {
	return func(ctx context.Context, games []uint64, journal engine.Journal, sink func(*engine.Record) error) error {
		begun()
		return play(ctx, games, journal, sink)
	}
}

// makers holds those that make no shard now, to reuse their memory.
type makers struct {
	mu   sync.Mutex
	list []*shardMaker
}

// take returns a maker, nil if there is none.
func (i *makers) take() *shardMaker {
	i.mu.Lock()
	defer i.mu.Unlock()
	n := len(i.list)
	if n == 0 {
		return nil
	}
	m := i.list[n-1]
	i.list = i.list[:n-1]
	return m
}

func (i *makers) put(m *shardMaker) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.list = append(i.list, m)
}
