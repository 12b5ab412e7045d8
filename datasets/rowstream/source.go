package rowstream

import (
	"context"
	"math/rand/v2"
	"slices"

	"selfplay/datasets"
	"selfplay/datasets/colfile"
	"selfplay/datasets/plan"
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
			t, err = r.swap(ctx, t)
			if err != nil {
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
		r.enqueue()
		if len(r.queue) > 0 {
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

// progress is what has been read of a shard. A longer run may extend a short shard: its groups
// are the same then, but for the last one, which may have more rows.
type progress struct {
	rows     uint64 // of the shard, of all readers
	groups   int
	lastRows int // of the last group, if it is this reader's
}

// openShard is a shard that is being read.
type openShard struct {
	*datasets.ColumnReader
	part   *datasets.Part
	groups []int    // of this reader, to be read, in order
	before progress // what an earlier shard of the same number had
	last   int      // rows of the last group, once it is read
}

// fillPool opens shards of the queue until as many are open as are read at once, or the queue is
// empty.
func (r *reader) fillPool() error {
	for len(r.pool) < r.openShards() && len(r.queue) > 0 {
		p := r.queue[0]
		r.queue = r.queue[1:]
		s, err := r.open(p)
		if err != nil {
			if r.isReplaced(p) { // the next look finds the new shard
				continue
			}
			return &datasets.ShardError{Op: "read", Shard: p.Shard, Err: err}
		}
		if len(s.groups) == 0 {
			r.leave(s)
			continue
		}
		r.pool = append(r.pool, s)
	}
	return nil
}

// openShards returns the number of shards that are read at once.
func (s *Stream) openShards() int {
	if s.o.Window > 0 {
		return OpenShards
	}
	return 1
}

// open opens a shard and chooses the groups to read.
func (r *reader) open(p *record.Part) (*openShard, error) {
	part := r.ds.Part(p)
	reader, err := part.Columns(plan.PositionsFile, r.o.Columns...)
	if err != nil {
		part.Close()
		return nil, err
	}
	s := &openShard{ColumnReader: reader, part: part, before: r.read[p.Shard]}
	for g := max(0, s.before.groups-1); g < reader.Groups(); g++ {
		if n := p.Shard + g; r.o.isShared(n) || r.o.isOwn(n) {
			s.groups = append(s.groups, g)
		}
	}
	return s, nil
}

// isReplaced reports whether a stream that follows the dataset could not open a shard because
// it is being replaced, by a longer run or after a repair.
func (r *reader) isReplaced(p *record.Part) bool {
	if r.o.Wait == nil {
		return false
	}
	r.follower.Forget(p.Shard)
	now, err := r.follower.Look()
	same := func(c *record.Commit) bool {
		now := c.PartOf(p.Split)
		return now != nil && now.Files == p.Files
	}
	if err != nil || slices.ContainsFunc(now, same) {
		return false
	}
	r.commits = now
	return true
}

// leave closes a shard that is read and keeps how far it was.
func (r *reader) leave(s *openShard) {
	s.part.Close()
	r.read[s.part.Of.Shard] = progress{s.part.Of.Rows, s.Groups(), s.last}
}

// readGroup appends a group of an open shard to t.
func (r *reader) readGroup(t *encode.Table) error {
	i, g := 0, 0
	if r.random != nil {
		i = r.random.IntN(len(r.pool))
		g = r.random.IntN(len(r.pool[i].groups))
	}
	s := r.pool[i]
	if err := s.read(&r.o, s.groups[g], t); err != nil {
		return &datasets.ShardError{Op: "read", Shard: s.part.Of.Shard, Err: err}
	}
	s.groups = slices.Delete(s.groups, g, g+1)
	if len(s.groups) == 0 {
		r.leave(s)
		r.pool = slices.Delete(r.pool, i, i+1)
	}
	return nil
}

// read appends the reader's rows of a group to t, without those that were read before.
func (s *openShard) read(o *Options, group int, t *encode.Table) error {
	known, n := 0, s.part.Of.Shard+group
	if group == s.before.groups-1 {
		known = s.before.lastRows
	}
	if known == 0 && !o.isShared(n) {
		before := t.Rows
		err := s.AppendTo(t, group)
		s.count(group, t.Rows-before)
		return err
	}
	all, err := s.Read(group)
	if err != nil {
		return err
	}
	s.count(group, all.Rows)
	for first := 0; first < all.Rows; first += blockRows {
		end := min(first+blockRows, all.Rows)
		if !o.isShared(n) || o.isOwn(n+first/blockRows) {
			colfile.AppendRows(t, all, min(max(first, known), end), end)
		}
	}
	return nil
}

// Groups of small numbers, that is shard plus group, are shared by blocks of their rows.
const (
	sharedGroups = 8 // times the readers
	blockRows    = 64
)

// isShared reports whether all readers read a group of this number.
func (o *Options) isShared(number int) bool { return o.World > 1 && number < sharedGroups*o.World }

// isOwn reports whether this reader takes the group, or the block, of this number.
func (o *Options) isOwn(number int) bool { return number%o.World == o.Rank }

// count keeps the number of rows of the last group.
func (s *openShard) count(group, rows int) {
	if group == s.Groups()-1 {
		s.last = rows
	}
}
