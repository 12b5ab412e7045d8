package export

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/urfave/cli/v2"
	"golang.org/x/sync/errgroup"

	"selfplay/cmd/internal/app"
	"selfplay/cmd/internal/progress"
	"selfplay/datasets"
	"selfplay/engine"
)

// collector sums up games, in whatever order they come. A fork is one without games,
// for another goroutine, and to be merged.
type collector[T any] interface {
	Add(r *engine.Record, validation bool) error
	Fork() T
	Merge(fork T)
}

// readInto adds the games of shards to total, several shards at a time. Which shards are
// read together changes nothing.
func readInto[T collector[T]](c *cli.Context, ds *datasets.Dataset, commits []*datasets.Commit, total T) error {
	games := uint64(0)
	for _, commit := range commits {
		games += commit.Games
	}
	r := &reading{ctx: c.Context, ds: ds, commits: commits}
	defer progress.New("reading", games, app.Log(c), c.App.ErrWriter, app.Quiet(c)).Watch(r)()

	var mu sync.Mutex
	var readers errgroup.Group
	for range min(len(commits), runtime.GOMAXPROCS(0)) {
		readers.Go(func() error {
			part := total.Fork()
			r.read(part.Add)
			mu.Lock()
			defer mu.Unlock()
			total.Merge(part)
			return nil
		})
	}
	readers.Wait()
	return r.err()
}

// reading is the shards of a dataset, handed out to readers in order.
type reading struct {
	ctx     context.Context
	ds      *datasets.Dataset
	commits []*datasets.Commit

	games, plies atomic.Uint64 // read so far

	mu     sync.Mutex
	next   int // of commits
	failed *datasets.ShardError
}

// Progress returns how many games have been read, and their plies.
func (r *reading) Progress() (games, plies uint64) { return r.games.Load(), r.plies.Load() }

// take returns the next shard, nil if there is none or a reader has failed.
func (r *reading) take() *datasets.Commit {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.next == len(r.commits) || r.failed != nil || r.ctx.Err() != nil {
		return nil
	}
	r.next++
	return r.commits[r.next-1]
}

// read reads shards until there are no more.
func (r *reading) read(add func(rec *engine.Record, validation bool) error) {
	for c := r.take(); c != nil; c = r.take() {
		for rec, err := range r.ds.Games(c) {
			if err == nil {
				err = add(rec, c.Split == datasets.Validation)
			}
			if err != nil {
				r.fail(&datasets.ShardError{Op: "read", Shard: c.Shard, Err: err})
				return
			}
			if r.ctx.Err() != nil {
				return
			}
			r.games.Add(1)
			r.plies.Add(uint64(len(rec.Actions)))
		}
	}
}

// fail keeps the failure of the first shard that has one. Every shard before it was
// handed out earlier, so this is the same one each time.
func (r *reading) fail(err *datasets.ShardError) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.failed == nil || err.Shard < r.failed.Shard {
		r.failed = err
	}
}

// err returns why not everything was read.
func (r *reading) err() error {
	switch {
	case r.failed != nil:
		return r.failed
	case r.ctx.Err() != nil:
		return context.Cause(r.ctx)
	}
	return nil
}
