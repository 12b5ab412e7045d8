package gameindex

import (
	"context"
	"errors"
	"slices"
	"sync"

	"selfplay/datasets"
	"selfplay/encode"
	"selfplay/internal/goroutine"
)

// search is a call of Find. Readers take groups of rows in order, so that everything before the
// first group that is not taken gets done.
type search struct {
	ix      *Index
	ctx     context.Context
	q       Search
	at      cursor // where it begins
	state   *state
	todo    []int // shards, as indexes of the state
	readers int

	mu      sync.Mutex
	changed sync.Cond // a shard has been opened
	begun   []*opened // of todo; nil if not begun
	next    int       // of todo: the first that is not begun
	front   int       // of todo: all shards before it have been taken
	opening int       // shards that are being opened
	hits    int
}

// opened is a shard that is being searched.
type opened struct {
	*shard
	index   int // in the state
	stored  bool
	readers []*datasets.ColumnReader // of each reader of the search; nil before it is used
	first   *datasets.ColumnReader   // owns the file
	next    int                      // the first group that is not taken
	left    int                      // groups that are not done
	groups  []groupResult            // nil while it is being opened
	err     error
}

// groupResult is the result of a group.
type groupResult struct {
	done bool
	hits []rowHit
}

// rowHit is a hit in a game of a shard.
type rowHit struct {
	row int
	ply int
}

// run searches groups until none is left or the search ends.
func (s *search) run(reader int) {
	w := &worker{search: s, reader: reader}
	for o, group := s.take(); o != nil; o, group = s.take() {
		if group < 0 {
			s.open(o)
			continue
		}
		var hits []rowHit
		err := goroutine.Catch(func() (err error) { hits, err = w.scan(o, group); return err })
		s.finish(o, group, hits, err)
	}
}

// take returns the next group to search, or a shard to open with the group -1, or nil.
func (s *search) take() (*opened, int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for {
		if s.ends() {
			return nil, 0
		}
		if o := s.ready(); o != nil {
			o.next++
			return o, o.next - 1
		}
		if s.next < len(s.todo) {
			return s.begin(), -1
		}
		if s.opening == 0 {
			return nil, 0
		}
		s.changed.Wait()
	}
}

// ready returns the first shard with a group that is not taken, nil if no open shard has one.
func (s *search) ready() *opened {
	for i := s.front; i < s.next; i++ {
		o := s.begun[i]
		if o.err == nil && o.next < len(o.groups) {
			return o
		}
		if i == s.front && (o.err != nil || o.groups != nil) {
			s.front++
		}
	}
	return nil
}

// ends reports whether no further group may be taken. After the deadline only the first group is.
func (s *search) ends() bool {
	switch err := s.ctx.Err(); {
	case err == nil:
		return s.hits >= s.q.Limit && s.hasMoved()
	case !errors.Is(err, context.DeadlineExceeded):
		return true
	}
	return s.next > 0 && (s.begun[0].groups == nil || s.hasMoved())
}

// hasMoved reports whether the search will continue behind the place where it begins.
func (s *search) hasMoved() bool {
	if s.next == 0 {
		return false
	}
	o := s.begun[0]
	return o.err != nil || o.groups != nil && (o.next > s.at.group || o.next == len(o.groups))
}

// begin begins the next shard.
func (s *search) begin() *opened {
	i := s.todo[s.next]
	o := &opened{shard: s.state.shards[i], index: i, readers: make([]*datasets.ColumnReader, s.readers)}
	s.begun[s.next] = o
	s.next++
	s.opening++
	return o
}

// open opens a shard that was begun.
func (s *search) open(o *opened) {
	var r *datasets.ColumnReader
	err := goroutine.Catch(func() (err error) { r, err = s.openColumns(o); return err })
	s.mu.Lock()
	defer s.mu.Unlock()
	s.opening--
	if o.first, o.err = r, err; err == nil {
		o.groups = make([]groupResult, r.Groups())
		if o.left = len(o.groups); o.commit.Shard == s.at.shard {
			o.next = min(s.at.group, len(o.groups))
			o.left -= o.next
		}
		if o.left == 0 {
			o.close()
		}
	}
	s.changed.Broadcast()
}

// openColumns opens the file that tells where the target is: hashes of positions if every position
// of the games has a row, else the games.
func (s *search) openColumns(o *opened) (*datasets.ColumnReader, error) {
	c := o.commit
	if s.q.Target.material == nil && c.Plies() == c.Rows && slices.Contains(s.ix.shape.Extra, encode.HashColumn) {
		o.stored = true
		return s.ix.ds.OpenColumns(c, datasets.PositionsFile, encode.HashColumn)
	}
	return s.ix.ds.OpenColumns(c, datasets.GamesFile, encode.GameColumn, startColumn, actionColumn)
}

// finish notes the result of a group.
func (s *search) finish(o *opened, group int, hits []rowHit, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err != nil {
		o.err = err
	} else {
		o.groups[group] = groupResult{true, hits}
		s.hits += len(hits)
	}
	if o.left--; o.left == 0 {
		o.close()
	}
}

// close closes the file of a shard.
func (o *opened) close() {
	if o.first != nil {
		o.first.Close()
		o.first = nil
	}
}

// close closes the files of all shards.
func (s *search) close() {
	for _, o := range s.begun {
		if o != nil {
			o.close()
		}
	}
}
