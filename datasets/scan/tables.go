package scan

import (
	"context"
	"iter"
	"runtime"
	"sync"

	"selfplay/datasets"
	"selfplay/datasets/record"
	"selfplay/encode"
	"selfplay/internal/goroutine"
)

// Tables yields the rows of shards in order and counts them in n. It reads as many shards
// at once as there are processors. A table is valid until the next one. An error ends the
// sequence.
func Tables(ctx context.Context, ds *datasets.Dataset, shards []*record.Commit, n *Counter) iter.Seq2[*encode.Table, error] {
	return TablesOf(ctx, shards, ds.Positions, n)
}

// TablesOf is Tables for the rows that read yields. Several goroutines call read.
func TablesOf(ctx context.Context, shards []*record.Commit, read func(*record.Commit) iter.Seq2[*encode.Table, error], n *Counter) iter.Seq2[*encode.Table, error] {
	return func(yield func(*encode.Table, error) bool) {
		var counter *ShardCounter
		for t, err := range ahead(ctx, shards, read) {
			if err != nil {
				yield(nil, err)
				return
			}
			if counter == nil || counter.c != t.commit {
				if counter != nil {
					counter.End()
				}
				counter = n.Shard(t.commit)
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

// Ahead yields the tables that read makes of shards, in the order of the shards, and reads as
// many shards at once as there are processors. It calls read in one goroutine, shard by shard;
// the iterators run in others. A table is valid until the next one. An error ends the sequence.
func Ahead(ctx context.Context, shards []*record.Commit, read func(*record.Commit) iter.Seq2[*encode.Table, error]) iter.Seq2[*encode.Table, error] {
	return func(yield func(*encode.Table, error) bool) {
		for t, err := range ahead(ctx, shards, read) {
			if !yield(t.Table, err) {
				return
			}
		}
	}
}

// shardTable is a table of a shard, or the error that ends the shard.
type shardTable struct {
	*encode.Table
	commit *record.Commit
	err    error
}

// ahead yields the tables of shards in order, while the following shards are read.
func ahead(ctx context.Context, shards []*record.Commit, read func(*record.Commit) iter.Seq2[*encode.Table, error]) iter.Seq2[shardTable, error] {
	return func(yield func(shardTable, error) bool) {
		ctx, stop := context.WithCancel(ctx)
		g := goroutine.New()
		defer func() { stop(); _ = g.Wait() }() // the queues have delivered the errors
		free := sync.Pool{New: func() any { return new(encode.Table) }}
		queues := make(chan chan shardTable, runtime.GOMAXPROCS(0)-1) // bounds the open shards
		g.Go(func() error {
			defer close(queues)
			for _, c := range shards {
				queue := make(chan shardTable, 1)
				select {
				case queues <- queue:
				case <-ctx.Done():
					return nil
				}
				tables := read(c)
				g.Go(func() error {
					defer close(queue)
					send(ctx, c, tables, &free, queue)
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
					yield(shardTable{}, t.err)
					return
				case !yield(t, nil):
					return
				default:
					free.Put(t.Table)
				}
			}
		}
		if ctx.Err() != nil {
			yield(shardTable{}, context.Cause(ctx))
		}
	}
}

// send sends copies of the tables of a shard, and the error that ends them. A panic is such
// an error.
func send(ctx context.Context, c *record.Commit, tables iter.Seq2[*encode.Table, error], free *sync.Pool, queue chan<- shardTable) {
	put := func(t shardTable) (ok bool) {
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
			if !put(shardTable{Table: own, commit: c}) {
				return nil
			}
		}
		return nil
	})
	if err != nil {
		put(shardTable{err: &datasets.ShardError{Op: "read", Shard: c.Shard, Err: err}})
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
