// Package scan reads whole datasets with several goroutines.
package scan

import (
	"bytes"
	"context"
	"iter"
	"runtime"
	"sync"
	"sync/atomic"

	"selfplay/datasets"
	"selfplay/datasets/plan"
	"selfplay/datasets/record"
	"selfplay/encode"
	"selfplay/engine"
	"selfplay/internal/goroutine"
)

// Counter counts what has been read. Several goroutines may use it. The zero value is
// ready.
type Counter struct{ games, plies atomic.Uint64 }

// Add adds games and plies, or rows.
func (n *Counter) Add(games, plies uint64) {
	n.games.Add(games)
	n.plies.Add(plies)
}

// Progress returns the games and plies that have been read.
func (n *Counter) Progress() (games, plies uint64) { return n.games.Load(), n.plies.Load() }

// Part returns a counter for the rows of a part of a shard. It belongs to one goroutine.
func (n *Counter) Part(p *record.Part) *PartCounter { return &PartCounter{n: n, p: p} }

// PartCounter counts the games of a part by the game numbers of its rows.
type PartCounter struct {
	n     *Counter
	p     *record.Part
	games uint64 // that had rows
	last  []byte // number of the last one; nil before the first row
}

// Rows counts the rows of a table and their games.
func (c *PartCounter) Rows(t *encode.Table) {
	before, column := c.games, encode.ColumnNamed(t.Columns, encode.GameColumn)
	for row := range t.Rows {
		if game := t.Cell(column, row); !bytes.Equal(game, c.last) {
			c.games++
			c.last = append(c.last[:0], game...)
		}
	}
	c.n.Add(c.games-before, uint64(t.Rows))
}

// End counts the games without rows.
func (c *PartCounter) End() { c.n.Add(c.p.Games-c.games, 0) }

// Tables yields the rows of parts of shards in order and counts them in n. It reads as many parts
// at once as there are processors. A table is valid until the next one. An error ends the
// sequence.
func Tables(ctx context.Context, ds *datasets.Dataset, parts []*record.Part, n *Counter) iter.Seq2[*encode.Table, error] {
	return TablesOf(ctx, parts, ds.Positions, n)
}

// TablesOf is Tables for the rows that read yields. Several goroutines call read.
func TablesOf(ctx context.Context, parts []*record.Part, read func(*record.Part) iter.Seq2[*encode.Table, error], n *Counter) iter.Seq2[*encode.Table, error] {
	return func(yield func(*encode.Table, error) bool) {
		var counter *PartCounter
		for t, err := range ahead(ctx, parts, read) {
			if err != nil {
				yield(nil, err)
				return
			}
			if counter == nil || counter.p != t.part {
				if counter != nil {
					counter.End()
				}
				counter = n.Part(t.part)
			}
			if !yield(t.Table, nil) {
				return
			}
			counter.Rows(t.Table)
		}
		if counter != nil {
			counter.End()
		}
	}
}

// Ahead yields the tables that read makes of parts of shards, in their order, and reads as
// many parts at once as there are processors. It calls read in one goroutine, part by part;
// the iterators run in others. A table is valid until the next one. An error ends the sequence.
func Ahead(ctx context.Context, parts []*record.Part, read func(*record.Part) iter.Seq2[*encode.Table, error]) iter.Seq2[*encode.Table, error] {
	return func(yield func(*encode.Table, error) bool) {
		for t, err := range ahead(ctx, parts, read) {
			if !yield(t.Table, err) {
				return
			}
		}
	}
}

// partTable is a table of a part, or the error that ends the part.
type partTable struct {
	*encode.Table
	part *record.Part
	err  error
}

// ahead yields the tables of parts in order, while the following parts are read.
func ahead(ctx context.Context, parts []*record.Part, read func(*record.Part) iter.Seq2[*encode.Table, error]) iter.Seq2[partTable, error] {
	return func(yield func(partTable, error) bool) {
		ctx, stop := context.WithCancel(ctx)
		g := goroutine.New()
		defer func() { stop(); _ = g.Wait() }() // the queues have delivered the errors
		free := sync.Pool{New: func() any { return new(encode.Table) }}
		queues := make(chan chan partTable, runtime.GOMAXPROCS(0)-1) // bounds the open parts
		g.Go(func() error {
			defer close(queues)
			for _, p := range parts {
				queue := make(chan partTable, 1)
				select {
				case queues <- queue:
				case <-ctx.Done():
					return nil
				}
				tables := read(p)
				g.Go(func() error {
					defer close(queue)
					send(ctx, p, tables, &free, queue)
					return nil
				})
			}
			return nil
		})
		for queue := range queues {
			for t := range queue {
				switch {
				case ctx.Err() != nil: // an earlier table may be missing: yield nothing more
				case t.err != nil:
					yield(partTable{}, t.err)
					return
				case !yield(t, nil):
					return
				default:
					free.Put(t.Table)
				}
			}
		}
		if ctx.Err() != nil {
			yield(partTable{}, context.Cause(ctx))
		}
	}
}

// send sends copies of the tables of a part, and the error that ends them. A panic is such
// an error.
func send(ctx context.Context, p *record.Part, tables iter.Seq2[*encode.Table, error], free *sync.Pool, queue chan<- partTable) {
	put := func(t partTable) (ok bool) {
		select {
		case queue <- t:
			return true
		case <-ctx.Done():
			return false
		}
	}
	err := goroutine.Catch(func() error {
		for t, err := range tables {
			if err != nil {
				return err
			}
			own := free.Get().(*encode.Table)
			copyTable(own, t)
			if !put(partTable{Table: own, part: p}) {
				return nil
			}
		}
		return nil
	})
	if err != nil {
		put(partTable{err: &datasets.ShardError{Op: "read", Shard: p.Shard, Err: err}})
	}
}

// copyTable makes dst a copy of src that has its own memory.
func copyTable(dst, src *encode.Table) {
	if dst.Columns == nil {
		*dst = *encode.NewTable(src.Columns)
	}
	dst.Reset()
	dst.Rows = src.Rows
	for col := range src.Columns {
		dst.Data[col] = append(dst.Data[col], src.Data[col]...)
		dst.Ends[col] = append(dst.Ends[col], src.Ends[col]...)
	}
}

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
