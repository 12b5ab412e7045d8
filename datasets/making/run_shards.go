package making

import (
	"cmp"
	"context"
	"errors"
	"runtime"
	"sync/atomic"

	"selfplay/datasets/internal/fault"
	"selfplay/datasets/record"
	"selfplay/internal/goroutine"
)

// makeShards makes the missing shards in order, several at once.
func (r *run) makeShards(ctx context.Context) error {
	missing := r.missing()
	if r.o.AwaitIdle != nil {
		return r.endOfShards(ctx, r.makeOnDemand(ctx, missing))
	}
	var next atomic.Int64
	g, groupCtx := goroutine.WithContext(ctx)
	for range min(cmp.Or(r.o.OpenShards, runtime.GOMAXPROCS(0)), len(missing)) {
		g.Go(func() error { return r.makeNext(groupCtx, missing, &next) })
	}
	return r.endOfShards(ctx, g.Wait())
}

// endOfShards returns the error of makeShards.
func (r *run) endOfShards(ctx context.Context, err error) error {
	err = explainEnd(ctx, err)
	if err == nil {
		err = r.stopped
	}
	return err
}

// makeNext makes one missing shard after the other until none is left or the run is
// stopped. Several goroutines share next.
func (r *run) makeNext(ctx context.Context, missing []int, next *atomic.Int64) error {
	m := r.newMaker()
	for {
		i := int(next.Add(1)) - 1
		if i >= len(missing) || r.noteStop(nil) {
			return nil
		}
		if err := r.makeShard(ctx, m, missing[i]); err != nil && !r.noteStop(err) {
			return err
		}
	}
}

// noteStop records that Play was asked to stop, if err says so. It reports whether the
// run is stopped and err is not another failure. Open shards are not cancelled: each
// still journals the games that it has under way.
func (r *run) noteStop(err error) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	var inner *fault.ShardError
	if errors.Is(err, fault.ErrIncomplete) && errors.As(err, &inner) && r.stopped == nil {
		r.stopped = inner.Err
	}
	return r.stopped != nil && (err == nil || errors.Is(err, fault.ErrIncomplete))
}

func (r *run) newMaker() *shardMaker {
	return &shardMaker{
		d: r.d, h: r.h, play: r.o.Play, rows: r.o.Rows(), check: r.o.Check, build: r.o.Build, recheck: r.o.Recheck,
		journaled: !r.o.NoJournal, notify: r.notify, played: &r.played, batch: batchRows(r.h.Plan.Format),
	}
}

// makeShard makes or extends shard s, unless another task has committed it.
func (r *run) makeShard(ctx context.Context, m *shardMaker, s int) error {
	if err := ctx.Err(); err != nil {
		return context.Cause(ctx)
	}
	short, done, err := r.recordOf(s)
	if done || err != nil {
		return err
	}
	first, games := r.h.Plan.GamesOf(s, r.target)
	if err := checkBelowTarget(r.d, first+games); err != nil {
		return &fault.ShardError{Op: "make", Shard: s, Err: err}
	}
	if err := r.beginShard(s); err != nil {
		return err
	}
	c, err := m.make(ctx, short, s, first, games)
	r.endShard(c, err)
	switch {
	case r.isExtended(short, err):
		return r.makeShard(ctx, m, s)
	case err != nil:
		return &fault.ShardError{Op: "make", Shard: s, Err: err}
	}
	e := Event{Kind: EventCommitted, Shard: s, Games: c.Games, Rows: c.Rows, Bytes: c.Bytes()}
	if short != nil {
		e.Games, e.Rows, e.Bytes = e.Games-short.Games, e.Rows-short.Rows, e.Bytes-short.Bytes()
	}
	r.notify(e)
	return nil
}

// beginShard counts shard s as open if the disk has room for it.
func (r *run) beginShard(s int) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.checkSpace(); err != nil {
		return &fault.ShardError{Op: "make", Shard: s, Err: err}
	}
	r.open++
	r.begun = append(r.begun, s)
	return nil
}

// endShard counts a shard as closed, and as committed if err is nil.
func (r *run) endShard(c *record.Commit, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.open--
	if err == nil {
		r.addShard(c.Fact())
		r.made++
	}
}
