package export

import (
	"bufio"
	"context"
	"errors"
	"io"
	"iter"
	"os/signal"
	"runtime"
	"sync"
	"syscall"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/app"
	"selfplay/datasets"
	"selfplay/encode"
)

// stream writes all rows to stdout. A reader that has had enough is no failure: who
// reads the first rows of a dataset has got them.
func (v *conversion) stream(c *cli.Context) error {
	if _, _, err := v.ds.Finished(); errors.Is(err, datasets.ErrUnfinished) {
		app.Log(c).Warn("the dataset is not finished: this is what is there by now", "dir", v.dir)
	}
	_, stop := v.follow(c)
	defer stop()
	return toStdout(c, func(out *bufio.Writer) error {
		if v.games != nil {
			return v.writeGames(c.Context, out, v.shards)
		}
		return v.writeRows(c.Context, out)
	})
}

// writeRows writes all rows in order.
func (v *conversion) writeRows(ctx context.Context, out io.Writer) error {
	w, err := v.form.New(out, v.spec)
	if err != nil {
		return err
	}
	for t, err := range v.tables(ctx, v.shards) {
		if err != nil {
			return err
		}
		if err := w.Write(t); err != nil {
			return err
		}
	}
	return w.Close()
}

// tables yields the rows of shards in order and counts them. A table is valid until the
// next one; an error ends the sequence.
func (v *conversion) tables(ctx context.Context, shards []*datasets.Commit) iter.Seq2[*encode.Table, error] {
	return func(yield func(*encode.Table, error) bool) {
		var at *shardCounter
		for t, err := range ahead(ctx, shards, v.ds.Positions) {
			if err != nil {
				yield(nil, err)
				return
			}
			if at == nil || at.c != t.commit {
				at = v.source.shard(t.commit)
			}
			if !yield(t.Table, nil) {
				return
			}
			at.rows(t.Table)
		}
	}
}

// toStdout writes to stdout. A closed pipe ends it without an error, and not with a
// signal that would kill the process.
func toStdout(c *cli.Context, write func(out *bufio.Writer) error) error {
	signal.Ignore(syscall.SIGPIPE)
	out := bufio.NewWriterSize(c.App.Writer, 256<<10)
	err := write(out)
	if err == nil {
		err = out.Flush()
	}
	if errors.Is(err, syscall.EPIPE) {
		return nil
	}
	return err
}

// shardTable is a table of a shard.
type shardTable struct {
	*encode.Table
	commit *datasets.Commit
	err    error // that ends the shard; there is no table then
}

// ahead yields the tables of shards in order while the ones behind them are read, as
// many shards at once as there are processors. A table is valid until the next one.
func ahead(ctx context.Context, shards []*datasets.Commit, read func(*datasets.Commit) iter.Seq2[*encode.Table, error]) iter.Seq2[shardTable, error] {
	return func(yield func(shardTable, error) bool) {
		ctx, stop := context.WithCancel(ctx)
		var g sync.WaitGroup
		defer g.Wait()
		defer stop()
		free := sync.Pool{New: func() any { return new(encode.Table) }}
		queues := make(chan chan shardTable, runtime.GOMAXPROCS(0)-1) // bounds the shards that are open
		g.Go(func() {
			defer close(queues)
			for _, c := range shards {
				queue := make(chan shardTable, 1)
				select {
				case queues <- queue:
				case <-ctx.Done():
					return
				}
				g.Go(func() {
					defer close(queue)
					send(ctx, c, read(c), &free, queue)
				})
			}
		})
		for queue := range queues {
			for t := range queue {
				switch {
				case ctx.Err() != nil: // behind a gap nothing may come
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

// send sends copies of the tables of a shard, and what ends them early.
func send(ctx context.Context, c *datasets.Commit, tables iter.Seq2[*encode.Table, error], free *sync.Pool, queue chan<- shardTable) {
	for t, err := range tables {
		next := shardTable{commit: c}
		if err != nil {
			next.err = &datasets.ShardError{Op: "read", Shard: c.Shard, Err: err}
		} else {
			next.Table = free.Get().(*encode.Table)
			copyTable(next.Table, t)
		}
		select {
		case queue <- next:
		case <-ctx.Done():
			return
		}
	}
}

// copyTable makes dst a copy of src, in its own memory.
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
