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
