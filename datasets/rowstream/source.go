package rowstream

import (
	"context"
	"math/rand/v2"

	"selfplay/datasets"
	"selfplay/datasets/record"
	"selfplay/encode"
	"selfplay/engine"
	"selfplay/internal/goroutine"
)

// Streams of random numbers that a seed gives: one for the order of shards and groups, and one
// for each window, by its number from 0.
const (
	orderStream  = 0
	windowStream = 1
)

func newSource(seed, stream uint64) *rand.Rand {
	return rand.New(rand.NewPCG(engine.Mix(seed), stream))
}

// reader reads ahead. Tables go to the consumer through filled and come back through free.
type reader struct {
	*Stream
	random *rand.Rand // nil to keep the order
	free   chan *encode.Table
	filled chan *encode.Table
	err    error // set before filled is closed

	follower *datasets.CommitFollower
	commits  []*record.Commit // of the last look, of all splits
	queue    []*record.Part   // parts of shards to open
	pool     []*openShard     // with groups to read
	read     map[int]progress // of shards that have left the pool
}

// readAhead is the number of tables in memory: one is used while the other is filled.
const readAhead = 2

func newReader(s *Stream) *reader {
	r := &reader{Stream: s, free: make(chan *encode.Table, readAhead), filled: make(chan *encode.Table), read: map[int]progress{}, follower: s.ds.Follow()}
	if s.o.Window > 0 {
		r.random = newSource(s.o.Seed, orderStream)
	}
	for range readAhead {
		r.free <- encode.NewTable(s.columns)
	}
	return r
}

// run fills tables until all rows are read, an error occurs or ctx ends.
func (r *reader) run(ctx context.Context) {
	defer close(r.filled)
	defer r.close()
	r.err = goroutine.Catch(func() error { return r.fillAll(ctx) })
	if ctx.Err() != nil {
		r.err = context.Cause(ctx)
	}
}

// close closes the open shards.
func (r *reader) close() {
	for _, s := range r.pool {
		s.part.Close()
	}
}

// fillAll fills tables and sends them. A table is full when it has a window of rows, or a group.
func (r *reader) fillAll(ctx context.Context) error {
	t, err := r.take(ctx)
	if err != nil {
		return err
	}
	for {
		more, err := r.next(ctx, t)
		if err != nil {
			return err
		}
		if full := t.Rows > 0 && t.Rows >= r.o.Window; full || !more && t.Rows > 0 {
			if t, err = r.swap(ctx, t); err != nil {
				return err
			}
		}
		if !more {
			return nil
		}
	}
}

// take returns an empty table.
func (r *reader) take(ctx context.Context) (*encode.Table, error) {
	select {
	case t := <-r.free:
		t.Reset()
		return t, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// send sends a table.
func (r *reader) send(ctx context.Context, t *encode.Table) error {
	select {
	case r.filled <- t:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// swap sends a table and returns an empty one.
func (r *reader) swap(ctx context.Context, t *encode.Table) (*encode.Table, error) {
	if err := r.send(ctx, t); err != nil {
		return nil, err
	}
	return r.take(ctx)
}

// next appends the rows of the next group to t. It returns false after the last one.
func (r *reader) next(ctx context.Context, t *encode.Table) (more bool, err error) {
	for {
		if err := r.fillPool(); err != nil {
			return false, err
		}
		if len(r.pool) > 0 {
			return true, r.readGroup(t)
		}
		if more, err := r.look(ctx); !more || err != nil {
			return false, err
		}
	}
}

// look queues the shards that have rows to read. Without any, it waits for them if the stream
// follows the dataset. It returns false if there will be none.
func (r *reader) look(ctx context.Context) (more bool, err error) {
	for waited := false; ; waited = true {
		first := r.commits == nil
		target, err := r.ds.Target() // before the shards: those of this target are then known
		if err == nil {
			r.commits, err = r.follower.Look()
		}
		if err != nil {
			return false, err
		}
		if r.o.Wait == nil && !first {
			return false, nil
		}
		if r.enqueue(); len(r.queue) > 0 {
			return true, nil
		}
		if r.o.Wait == nil || target > 0 && gamesOf(r.commits) >= target {
			return false, nil
		}
		if !waited {
			if err := r.idle(ctx); err != nil {
				return false, err
			}
		}
		if err := r.o.Wait(ctx); err != nil {
			return false, err
		}
	}
}

// enqueue queues the shards of the split that have unread rows.
func (r *reader) enqueue() {
	for _, c := range r.commits {
		if p := c.PartOf(r.o.Split); p != nil && p.Rows > r.read[p.Shard].rows {
			r.queue = append(r.queue, p)
		}
	}
	if r.random != nil {
		r.random.Shuffle(len(r.queue), func(i, j int) { r.queue[i], r.queue[j] = r.queue[j], r.queue[i] })
	}
}

// idle sends an empty table: the stream waits.
func (r *reader) idle(ctx context.Context) error {
	t, err := r.take(ctx)
	if err != nil {
		return err
	}
	return r.send(ctx, t)
}

// gamesOf returns the number of games of shards.
func gamesOf(commits []*record.Commit) (n uint64) {
	for _, c := range commits {
		n += c.Games
	}
	return n
}
