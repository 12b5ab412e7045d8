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

// Games adds the games of parts of shards to total and counts them in n. It reads as many parts
// at once as there are processors. The result, errors included, does not depend on how
// many that is.
func Games[T Collector[T]](ctx context.Context, ds *datasets.Dataset, parts []*record.Part, total T, n *Counter) error {
	s := &gameScan{ctx: ctx, ds: ds, parts: parts, n: n}
	var mu sync.Mutex
	readers := goroutine.New()
	for range min(len(parts), runtime.GOMAXPROCS(0)) {
		readers.Go(func() error {
			fork := total.Fork()
			s.read(fork.Add)
			mu.Lock()
			defer mu.Unlock()
			total.Merge(fork)
			return nil
		})
	}
	if err := readers.Wait(); err != nil {
		return err
	}
	return s.err()
}

// gameScan hands parts of shards out to readers, in order.
type gameScan struct {
	ctx   context.Context
	ds    *datasets.Dataset
	parts []*record.Part
	n     *Counter

	mu       sync.Mutex
	next     int // of parts
	failedAt int // index of the part that failed
	failed   error
}

// take returns the index of the next part. It reports false after the last part, after an error and
// when the scan is cancelled.
func (s *gameScan) take() (i int, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.next == len(s.parts) || s.failed != nil || s.ctx.Err() != nil {
		return 0, false
	}
	s.next++
	return s.next - 1, true
}

// read takes parts and adds their games until no part is left.
func (s *gameScan) read(add func(r *engine.Record, validation bool) error) {
	for i, ok := s.take(); ok; i, ok = s.take() {
		if err := goroutine.Catch(func() error { return s.readPart(s.parts[i], add) }); err != nil {
			s.fail(i, err)
			return
		}
	}
}

// readPart adds the games of a part, until the scan is cancelled.
func (s *gameScan) readPart(p *record.Part, add func(r *engine.Record, validation bool) error) error {
	for r, err := range s.ds.Games(p) {
		if err == nil {
			err = add(r, p.Split == plan.Validation)
		}
		if err != nil || s.ctx.Err() != nil {
			return err
		}
		s.n.Add(1, uint64(len(r.Actions)))
	}
	return nil
}

// fail keeps the error of the first failing part. All parts before it were taken
// earlier, so every scan returns the same error.
func (s *gameScan) fail(i int, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.failed == nil || i < s.failedAt {
		s.failedAt, s.failed = i, &datasets.ShardError{Op: "read", Shard: s.parts[i].Shard, Err: err}
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
