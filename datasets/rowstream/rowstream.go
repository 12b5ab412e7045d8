// Package rowstream reads the rows of one split for training, once: some columns, in order or
// shuffled, the share of one of several readers, and also while the dataset is being made.
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
	"selfplay/datasets/colfile"
	"selfplay/datasets/plan"
	"selfplay/datasets/record"
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
	if o.Rank < 0 || o.Rank >= o.World {
		return fmt.Errorf("%w: rank %d of %d: want 0 to %d", ErrOptions, o.Rank, o.World, o.World-1)
	}
	if o.Window < 0 {
		return fmt.Errorf("%w: window %d: want 0 or more", ErrOptions, o.Window)
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

// window puts the rows of windows in random order.
type window struct {
	number uint64 // of the next window
	order  []int
	part   *encode.Table
}

// shuffle yields the rows of a table in random order, in tables of a record batch each. It
// returns false if yield does.
func (w *window) shuffle(t *encode.Table, seed uint64, yield func(*encode.Table, error) bool) bool {
	random := newSource(seed, windowStream+w.number)
	w.number++
	w.order = w.order[:0]
	for i := range t.Rows {
		w.order = append(w.order, i)
	}
	random.Shuffle(len(w.order), func(i, j int) { w.order[i], w.order[j] = w.order[j], w.order[i] })
	if w.part == nil {
		w.part = encode.NewTable(t.Columns)
	}
	for from := 0; from < t.Rows; from += colfile.BatchRows {
		w.part.Reset()
		colfile.AppendPicked(w.part, t, w.order[from:min(from+colfile.BatchRows, t.Rows)])
		if !yield(w.part, nil) {
			return false
		}
	}
	return true
}

// spare is the part of the tables that is added for what they grow in advance, and for the
// batches on their way to the consumer.
const spare = 4

// Memory returns about how many bytes the stream takes at most, if these are the committed shards.
// Lists count as long as those of the first row group of the split are on average: Memory reads
// them. A shard that it cannot read is no error of Memory, but of Rows.
func (s *Stream) Memory(commits []*record.Commit) int64 {
	first, group := s.firstPart(commits), s.groupRows(commits)
	rows := int64(max(s.o.Window, 1)) - 1 + group // the last group of a window may exceed it
	held := readAhead * rows * s.rowBytes(s.columns, first)
	if s.o.Window > 0 {
		held += rows * orderBytes
	}
	held += held / spare
	if s.o.World > 1 { // a group that readers share is decoded whole
		held += group * s.rowBytes(s.columns, first)
	}
	if s.ds.Plan().Format == plan.Arrow { // each open shard has a batch, decoded with all columns
		held += int64(s.openShards()) * group * s.rowBytes(s.ds.Description().Columns, first)
	}
	return held
}

// orderBytes is the size of a row in the order of a window.
const orderBytes = 8

// firstPart returns the first part of the split that has rows, nil if there is none.
func (s *Stream) firstPart(commits []*record.Commit) *record.Part {
	for _, c := range commits {
		if p := c.PartOf(s.o.Split); p != nil && p.Rows > 0 {
			return p
		}
	}
	return nil
}

// groupRows returns the most rows that a group of the split has. Shards that are still to come may
// have full ones.
func (s *Stream) groupRows(commits []*record.Commit) int64 {
	p := s.ds.Plan()
	full := int64(colfile.PositionGroupRows)
	if p.Format == plan.Arrow {
		full = colfile.BatchRows + int64(p.MaxPlies) // the last game may exceed a batch
	}
	if s.o.Wait != nil {
		return full
	}
	largest := uint64(0)
	for _, c := range commits {
		if p := c.PartOf(s.o.Split); p != nil {
			largest = max(largest, p.Rows)
		}
	}
	return min(full, int64(largest))
}

// rowBytes returns how many bytes a row of columns takes in a table.
func (s *Stream) rowBytes(columns []encode.Column, sample *record.Part) (n int64) {
	var lists []string
	for _, c := range columns {
		if c.Len == encode.Var {
			lists = append(lists, c.Name)
		} else {
			n += int64(max(c.Len, 1) * c.Kind.Size())
		}
	}
	if lists == nil {
		return n
	}
	size, err := s.listBytes(lists, sample)
	if err != nil || size == 0 {
		size = unknownList * int64(len(lists))
	}
	return n + size
}

// unknownList is the size of a list in bytes before the first shard: 254 moves, and its end.
const unknownList = 512

// listBytes returns how many bytes the lists of a row take on average in the first group of a
// shard, rounded up; 0 without a shard.
func (s *Stream) listBytes(names []string, p *record.Part) (int64, error) {
	if p == nil {
		return 0, nil
	}
	part := s.ds.Part(p)
	defer part.Close()
	r, err := part.Columns(plan.PositionsFile, names...)
	if err != nil {
		return 0, err
	}
	t, err := r.Read(0)
	if err != nil {
		return 0, err
	}
	size := 0
	for col := range t.Columns {
		size += len(t.Data[col]) + 4*len(t.Ends[col])
	}
	return int64(size/max(t.Rows, 1)) + 1, nil
}
