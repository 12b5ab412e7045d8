package scan

import (
	"context"
	"runtime"
	"sync"

	"selfplay/datasets"
	"selfplay/datasets/plan"
	"selfplay/datasets/record"
	"selfplay/engine"
	"selfplay/internal/goroutine"
)

// Collector sums up games. Its result does not depend on the order of the games.
type Collector[T any] interface {
	// Add adds a game. It does not keep the record.
	Add(r *engine.Record, validation bool) error
	// Fork returns a collector without games, for another goroutine.
	Fork() T
	// Merge adds the games of a fork.
	Merge(fork T)
}

// Games adds the games of shards to total and counts them in n. It reads as many shards
// at once as there are processors. The result, errors included, does not depend on how
// many that is.
func Games[T Collector[T]](ctx context.Context, ds *datasets.Dataset, shards []*record.Commit, total T, n *Counter) error {
	s := &gameScan{ctx: ctx, ds: ds, shards: shards, n: n}
	var mu sync.Mutex
	readers := goroutine.New()
	for range min(len(shards), runtime.GOMAXPROCS(0)) {
		readers.Go(func() error {
			part := total.Fork()
			s.read(part.Add)
			mu.Lock()
			defer mu.Unlock()
			total.Merge(part)
			return nil
		})
	}
	if err := readers.Wait(); err != nil {
		return err
	}
	return s.err()
}

// gameScan hands the shards of a dataset out to readers, in order.
type gameScan struct {
	ctx    context.Context
	ds     *datasets.Dataset
	shards []*record.Commit
	n      *Counter

	mu     sync.Mutex
	next   int // of shards
	failed *datasets.ShardError
}

// take returns the next shard. It returns nil after the last shard, after an error and
// when the scan is cancelled.
func (s *gameScan) take() *record.Commit {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.next == len(s.shards) || s.failed != nil || s.ctx.Err() != nil {
		return nil
	}
	s.next++
	return s.shards[s.next-1]
}

// read takes shards and adds their games until no shard is left.
func (s *gameScan) read(add func(r *engine.Record, validation bool) error) {
	for c := s.take(); c != nil; c = s.take() {
		err := goroutine.Catch(func() error { return s.readShard(c, add) })
		if err != nil {
			s.fail(&datasets.ShardError{Op: "read", Shard: c.Shard, Err: err})
			return
		}
	}
}

// readShard adds the games of a shard, until the scan is cancelled.
func (s *gameScan) readShard(c *record.Commit, add func(r *engine.Record, validation bool) error) error {
	for r, err := range s.ds.Games(c) {
		if err == nil {
			err = add(r, c.Split == plan.Validation)
		}
		if err != nil || s.ctx.Err() != nil {
			return err
		}
		s.n.Add(1, uint64(len(r.Actions)))
	}
	return nil
}

// fail keeps the error of the first failing shard. All shards before it were taken
// earlier, so every scan returns the same error.
func (s *gameScan) fail(err *datasets.ShardError) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.failed == nil || err.Shard < s.failed.Shard {
		s.failed = err
	}
}

// err returns why not all games were read.
func (s *gameScan) err() error {
	switch {
	case s.failed != nil:
		return s.failed
	case s.ctx.Err() != nil:
		return context.Cause(s.ctx)
	}
	return nil
}
