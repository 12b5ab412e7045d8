// Package rowstream reads the rows of one split for training, once: some columns, in order or
// shuffled, the share of one of several readers, and also while the dataset is being made.
//
//	rowstream.go  Options, and Rows: the rows as tables
//	source.go     which shards are read, and when
//	pool.go       open shards and their groups
//	window.go     random order inside a window
//	memory.go     how much memory a stream takes
//
// # Shares
//
// Rows lie in groups: row groups of Parquet or record batches of Arrow. Of w readers, reader r takes
// the groups g of the shards s with (s + g) mod w = r. The first groups, with s + g < 8w, would be too
// few for that: all readers decode them, and reader r takes the rows whose block of 64, counted in the
// group from 0, is b with (s + g + b) mod w = r. So the readers have disjoint shares that are complete
// together and nearly equal, at any time and whatever each has read, and no reader has to know of the
// others.
//
// # Order
//
// Without a window, rows come in the order of the dataset. With one, shards come in random order,
// OpenShards of them are read at once, group by group in random order, and the rows of each window come in
// random order. The order is a function of the options and of the committed shards.
//
// # Following
//
// A stream that follows a dataset waits for the next shards until the dataset has all games of
// its target. Every row comes once: of a short shard that a longer run extends, only the rows
// that follow those already read.
//
// # Memory
//
// While a table is used, the next one is read: two windows, or two groups, are in memory. A window
// ends with a whole group, so it may have more rows than the options say. Stream.Memory counts the
// bytes.
package rowstream

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"selfplay/datasets"
	"selfplay/datasets/plan"
	"selfplay/encode"
	"selfplay/internal/goroutine"
)

// OpenShards is the number of shards that are read at once if rows are shuffled.
const OpenShards = 16

// Options say which rows of a dataset are read, and in which order.
type Options struct {
	Split   string
	Columns []string // none means all; their order is always that of the dataset
	Window  int      // rows that are shuffled together; 0 keeps the order of the dataset
	Seed    uint64   // of the order
	Rank    int      // of this reader
	World   int      // number of readers; 0 means 1

	// Wait is called when all committed shards are read and games of the target are missing. It
	// returns when new shards may be there, or an error, which ends the stream. nil: do not
	// follow the dataset.
	Wait func(ctx context.Context) error
}

// ErrOptions means that the dataset cannot be read in this way. The error says why.
var ErrOptions = errors.New("read rows")

// check completes the options.
func (o *Options) check(ds *datasets.Dataset) error {
	var all []string
	for _, c := range ds.Description().Columns {
		all = append(all, c.Name)
	}
	if len(o.Columns) == 0 {
		o.Columns = all
	}
	o.World = max(o.World, 1)
	for i, name := range o.Columns {
		if !slices.Contains(all, name) {
			return fmt.Errorf("%w: no column %.40q: want one of %s", ErrOptions, name, strings.Join(all, ", "))
		}
		if slices.Contains(o.Columns[:i], name) {
			return fmt.Errorf("%w: column %s twice", ErrOptions, name)
		}
	}
	if o.Split != plan.Train && o.Split != plan.Validation {
		return fmt.Errorf("%w: no split %.40q: want %s or %s", ErrOptions, o.Split, plan.Train, plan.Validation)
	}
	if o.Rank < 0 || o.Rank >= o.World || o.Window < 0 {
		return fmt.Errorf("%w: rank %d of %d, window %d: out of range", ErrOptions, o.Rank, o.World, o.Window)
	}
	return nil
}

// columns returns the columns that the options name.
func (o Options) columns(ds *datasets.Dataset) (list []encode.Column) {
	for _, c := range ds.Description().Columns {
		if slices.Contains(o.Columns, c.Name) {
			list = append(list, c)
		}
	}
	return list
}

// Stream is the rows that options choose.
type Stream struct {
	o       Options
	ds      *datasets.Dataset
	columns []encode.Column
}

// New returns the rows of a dataset that options choose. The error is ErrOptions.
func New(ds *datasets.Dataset, o Options) (*Stream, error) {
	if err := o.check(ds); err != nil {
		return nil, err
	}
	return &Stream{o, ds, o.columns(ds)}, nil
}

// Columns returns the columns of the tables.
func (s *Stream) Columns() []encode.Column { return s.columns }

// Rows yields the rows. An empty table means that the stream waits for the next shard: pass on
// what is buffered. A table is valid until the next one. An error ends the sequence; the table is
// then nil. Rows are read ahead in another goroutine, which ends with the sequence.
func (s *Stream) Rows(ctx context.Context) iter.Seq2[*encode.Table, error] {
	return func(yield func(*encode.Table, error) bool) {
		ctx, stop := context.WithCancel(ctx)
		r := newReader(s)
		reading := goroutine.New()
		reading.Go(func() error { r.run(ctx); return nil })
		defer func() { stop(); _ = reading.Wait() }()
		var w window
		for t := range r.filled {
			switch {
			case s.o.Window > 0 && t.Rows > 0:
				if !w.shuffle(t, s.o.Seed, yield) {
					return
				}
			case !yield(t, nil):
				return
			}
			r.free <- t
		}
		if r.err != nil {
			yield(nil, r.err)
		}
	}
}
