package gameindex

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"sync"

	"selfplay/datasets"
	"selfplay/encode"
	"selfplay/engine"
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
		for _, o := range s.begun[:s.next] {
			if o.err == nil && o.next < len(o.groups) {
				o.next++
				return o, o.next - 1
			}
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

// found returns the hits up to the first group that is not done, or up to the limit.
func (s *search) found() *Found {
	f := &Found{Shards: len(s.state.shards), Hits: []Hit{}}
	at := s.at
	for i, o := range s.begun {
		shard := s.state.shards[s.todo[i]].commit.Shard
		if shard != at.shard {
			at = cursor{shard: shard}
		}
		if o != nil && o.err != nil {
			s.failed(f, o)
			continue
		}
		if o == nil || !s.add(f, o, &at) {
			f.Next = at.String()
			f.Searched = s.todo[i]
			return f
		}
	}
	f.Searched = f.Shards
	return f
}

// add adds the hits of a shard from at on, and moves at. It returns false if the shard is not done,
// or if there are enough hits.
func (s *search) add(f *Found, o *opened, at *cursor) bool {
	if o.groups == nil {
		return false
	}
	for ; at.group < len(o.groups); at.group++ {
		g := &o.groups[at.group]
		if !g.done {
			return false
		}
		for _, h := range g.hits {
			if h.row < at.row { // found in an earlier group or call
				continue
			}
			if len(f.Hits) == s.q.Limit {
				return false
			}
			f.Hits = append(f.Hits, Hit{s.state.game(o.shard, h.row), h.ply})
			at.row = h.row + 1
		}
	}
	return true
}

// failed notes a shard that was not read, unless it is gone.
func (s *search) failed(f *Found, o *opened) {
	if errors.Is(o.err, fs.ErrNotExist) && !s.ix.isCommitted(o.commit) {
		return
	}
	f.Failed = append(f.Failed, &datasets.ShardError{Op: "search", Shard: o.commit.Shard, Err: o.err})
}

// worker searches groups. It belongs to one goroutine.
type worker struct {
	*search
	reader  int
	pos     engine.Position
	counter *counter
	rec     engine.Record
}

// scan searches a group.
func (w *worker) scan(o *opened, group int) ([]rowHit, error) {
	r := o.readers[w.reader]
	if r == nil {
		var err error
		if r, err = o.first.Fork(); err != nil {
			return nil, err
		}
		o.readers[w.reader] = r
	}
	t, err := r.Read(group)
	if err != nil {
		return nil, err
	}
	if o.stored {
		return w.scanHashes(o, group, t)
	}
	return w.scanGames(o, newGameTable(t))
}

// scanHashes returns the games of a group of positions that have the hash.
func (w *worker) scanHashes(o *opened, group int, t *encode.Table) (hits []rowHit, err error) {
	var rows []int
	want := w.q.Target.hash
	for row, v := 0, t.Data[0]; len(v) >= 8; row, v = row+1, v[8:] {
		if binary.LittleEndian.Uint64(v) == want {
			rows = append(rows, row)
		}
	}
	if rows == nil {
		return nil, nil
	}
	r, err := o.first.Fork(encode.GameColumn, encode.PlyColumn)
	if err != nil {
		return nil, err
	}
	if t, err = r.Read(group); err != nil {
		return nil, err
	}
	for _, i := range rows {
		row := int(binary.LittleEndian.Uint64(t.Cell(0, i)) - o.commit.FirstGame)
		if row < 0 || row >= o.games() {
			return nil, fmt.Errorf("%w: game %d is not of the shard", datasets.ErrCorrupt, row)
		}
		if n := len(hits); (n == 0 || hits[n-1].row != row) && w.matches(o, row) {
			hits = append(hits, rowHit{row, int(binary.LittleEndian.Uint16(t.Cell(1, i)))})
		}
	}
	return hits, nil
}

// matches reports whether a game is to be searched.
func (w *worker) matches(o *opened, row int) bool {
	return w.q.Within == nil || w.q.Within.fails[o.index][row] == 0
}

// scanGames replays the games of a group.
func (w *worker) scanGames(o *opened, t *gameTable) (hits []rowHit, err error) {
	w.prepare()
	game := encode.ColumnNamed(t.Columns, encode.GameColumn)
	for i := range t.Rows {
		row := int(binary.LittleEndian.Uint64(t.Cell(game, i)) - o.commit.FirstGame)
		if row < 0 || row >= o.games() {
			return nil, fmt.Errorf("%w: game %d is not of the shard", datasets.ErrCorrupt, row)
		}
		if !w.matches(o, row) {
			continue
		}
		t.read(i, &w.rec)
		hit := -1
		err := replay(&w.ix.shape.Game, w.pos, &w.rec, func(ply int) bool {
			if w.isTarget() {
				hit = ply
			}
			return hit < 0
		})
		if err != nil {
			return nil, fmt.Errorf("game %d: %w", o.commit.FirstGame+uint64(row), err)
		}
		if hit >= 0 {
			hits = append(hits, rowHit{row, hit})
		}
	}
	return hits, nil
}

// prepare makes what a replay takes.
func (w *worker) prepare() {
	if w.pos != nil {
		return
	}
	shape := w.ix.shape
	w.pos = shape.Game.New(shape.Variant)
	if m := w.q.Target.material; m != nil {
		w.counter = newCounter(&shape.Game, m)
	}
}

// isTarget reports whether the worker's position is what the search looks for.
func (w *worker) isTarget() bool {
	if w.counter != nil {
		return w.counter.matches(w.pos)
	}
	return w.pos.Hash() == w.q.Target.hash
}
