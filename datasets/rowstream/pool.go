package rowstream

import (
	"slices"

	"selfplay/datasets"
	"selfplay/datasets/colfile"
	"selfplay/datasets/plan"
	"selfplay/datasets/record"
	"selfplay/encode"
)

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
	if s.groups = slices.Delete(s.groups, g, g+1); len(s.groups) == 0 {
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
