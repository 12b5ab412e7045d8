package gameindex

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"

	"selfplay/datasets"
	"selfplay/datasets/plan"
	"selfplay/encode"
	"selfplay/engine"
	"selfplay/internal/goroutine"
)

// Search says what to look for, and where.
type Search struct {
	Target *Target
	Within *Selection // only in these games; nil: in all games of the index
	Cursor string     // Found.Next of an earlier call with the same target and filter; "": from the beginning
	Limit  int        // of games to return, 1 or more
}

// Hit is a game with the target, and the first ply at which it has it: the number of earlier
// decisions.
type Hit struct {
	Game
	Ply int
}

// Found is what Find found. Searched of Shards shards are done, those before the cursor included;
// the next one may be partly done.
type Found struct {
	Hits     []Hit // in the order of the shards, and of each part of a shard in that of the games
	Searched int
	Shards   int
	// Next is the cursor to continue from, "" if all shards are done.
	Next string
	// Failed is the shards that could not be read, in order. They count as searched.
	Failed []*datasets.ShardError
}

// Find returns games in which a side decides at a position, or with a material, shard by
// shard. Final positions, in which there is nothing to decide, do not count.
//
// It ends with the last shard, when it has found enough, or at the deadline of ctx, after at least
// one group of rows (4,096 games, or 65,536 positions where it reads hashes). So a loop over Next
// ends, whatever the deadline. It returns an error if ctx is cancelled, or for a cursor that no
// call returned.
func (ix *Index) Find(ctx context.Context, q Search) (*Found, error) {
	at, err := parseCursor(q.Cursor)
	if err != nil {
		return nil, err
	}
	s := ix.newSearch(ctx, q, at)
	if err := s.run(); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return nil, context.Cause(ctx)
	}
	return s.found(), nil
}

// found returns the hits up to the first group that is not done, or up to the limit.
func (s *search) found() *Found {
	f := &Found{Shards: len(s.state.shards), Hits: []Hit{}}
	at := s.at
	for i, shard := range s.todo {
		number := s.state.shards[shard].commit.Shard
		if number != at.shard {
			at = cursor{shard: number}
		}
		done := i < len(s.begun)
		if done && s.begun[i].err != nil {
			s.failed(f, s.begun[i])
			continue
		}
		if !done || !s.add(f, s.begun[i], &at) {
			f.Next = at.String()
			f.Searched = shard
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
	for ; at.group < len(o.groups); o.advance(at) {
		if o.groups[at.group] == nil {
			return false
		}
		for _, h := range o.groups[at.group] {
			if h.Row < at.row { // found in an earlier group or call
				continue
			}
			if len(f.Hits) == s.q.Limit {
				return false
			}
			f.Hits = append(f.Hits, h)
			at.row = h.Row + 1
		}
	}
	return true
}

// advance moves a cursor to the next group.
func (o *opened) advance(at *cursor) {
	at.group++
	if at.group == o.second {
		at.row = 0
	}
}

// failed notes a shard that was not read, unless it is gone.
func (s *search) failed(f *Found, o *opened) {
	if errors.Is(o.err, fs.ErrNotExist) && !s.ix.isCommitted(o.commit) {
		return
	}
	f.Failed = append(f.Failed, &datasets.ShardError{Op: "search", Shard: o.commit.Shard, Err: o.err})
}

// ErrCursor means that no search returned this cursor.
var ErrCursor = errors.New("continue search")

// cursor is where a search continues: at a group of a shard, with the games from row on. Shards are
// numbered as in the dataset, so that a cursor stays valid when shards are added.
type cursor struct{ shard, group, row int }

// String returns the text of the cursor.
func (c cursor) String() string { return fmt.Sprintf("%d.%d.%d", c.shard, c.group, c.row) }

// parseCursor is the inverse of String. "" is the beginning.
func parseCursor(text string) (c cursor, err error) {
	if text == "" {
		return c, nil
	}
	_, err = fmt.Sscanf(text, "%d.%d.%d", &c.shard, &c.group, &c.row)
	if err != nil || c.String() != text || c.shard < 0 || c.group < 0 || c.row < 0 {
		return c, fmt.Errorf("%w at %.40q: want the cursor of an earlier search", ErrCursor, text)
	}
	return c, nil
}

// Target is what Find looks for: a position or a material.
type Target struct {
	hash     uint64
	material *encode.Material // nil: a position
}

// hashPrefix begins the text of a hash.
const hashPrefix = "hash:"

// Position returns the target of a position: its text, or hash: and the 16 hexadecimal digits of
// its Zobrist hash. The hash has no clocks, so a text stands for all positions
// that differ from it in clocks only. The error of a text is an *engine.TextError.
func (ix *Index) Position(text string) (*Target, error) {
	if digits, ok := strings.CutPrefix(text, hashPrefix); ok {
		hash, err := strconv.ParseUint(digits, 16, 64)
		if err != nil || len(digits) != 16 {
			return nil, fmt.Errorf("read position %q: want %s and 16 hexadecimal digits", text, hashPrefix)
		}
		return &Target{hash: hash}, nil
	}
	pos := ix.shape.Game.New(ix.shape.Variant)
	if err := engine.Position.Set(pos, text); err != nil {
		return nil, err
	}
	return &Target{hash: pos.Hash()}, nil
}

// Material returns the target of a material; see encode.Game.ParseMaterial.
func (ix *Index) Material(text string) (*Target, error) {
	m, err := ix.shape.Game.ParseMaterial(text)
	if err != nil {
		return nil, err
	}
	return &Target{material: m}, nil
}

// search is a call of Find.
type search struct {
	ix      *Index
	ctx     context.Context
	q       Search
	at      cursor // where it begins
	state   *state
	todo    []int     // shards, as indexes of the state
	begun   []*opened // the first shards of todo
	workers sync.Pool

	mu   sync.Mutex // guards hits, and the results of shards while they are searched
	hits int
}

// opened is a shard that is being searched, or has been.
type opened struct {
	*shard
	fails  []uint8          // conditions that games fail, which are not searched then; nil: search all
	stored bool             // whether the file has hashes of positions
	parts  []*datasets.Part // with open files
	second int              // the first group of the second part
	groups [][]Hit          // of each group, nil until it is searched; nil if the shard is not open
	err    error
}

// newSearch returns a search that begins at a cursor.
func (ix *Index) newSearch(ctx context.Context, q Search, at cursor) *search {
	q.Limit = max(1, q.Limit)
	s := &search{ix: ix, ctx: ctx, q: q, at: at, state: ix.state.Load()}
	s.workers.New = func() any { return s.newWorker() }
	if q.Within != nil {
		s.state = q.Within.state
	}
	for i, sh := range s.state.shards {
		if sh.commit.Shard >= at.shard && (q.Within == nil || slices.Contains(q.Within.fails[i], 0)) {
			s.todo = append(s.todo, i)
		}
	}
	return s
}

// run searches shards until none is left or the search ends: first as many as there are processors,
// because a frequent position has enough games in them, then several times as many together.
func (s *search) run() error {
	n := runtime.GOMAXPROCS(0)
	for first := true; len(s.begun) < len(s.todo) && (first || !s.ends()); first = false {
		begun := len(s.begun)
		for _, i := range s.todo[begun:min(len(s.todo), begun+n)] {
			o := &opened{shard: s.state.shards[i]}
			if s.q.Within != nil {
				o.fails = s.q.Within.fails[i]
			}
			s.begun = append(s.begun, o)
		}
		if err := s.searchShards(s.begun[begun:], first); err != nil {
			return err
		}
		n = 4 * runtime.GOMAXPROCS(0)
	}
	return nil
}

// ends reports whether no further group may be searched.
func (s *search) ends() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.hits >= s.q.Limit || s.ctx.Err() != nil
}

// searchShards searches shards until the search ends: group by group, so that everything before the
// first group that is not searched gets done. It always searches the first group of the first shards.
func (s *search) searchShards(shards []*opened, first bool) error {
	err := divide(context.Background(), len(shards), func(numbers iter.Seq[int]) error {
		for i := range numbers {
			if first || !s.ends() {
				shards[i].err = goroutine.Catch(func() error { return s.open(shards[i]) })
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	type group struct {
		*opened
		number int
	}
	var groups []group
	for _, o := range shards {
		for _, p := range o.parts {
			defer p.Close()
		}
		number := 0
		if o.commit.Shard == s.at.shard {
			number = s.at.group
		}
		for ; number < len(o.groups); number++ {
			groups = append(groups, group{o, number})
		}
	}
	return divide(context.Background(), len(groups), func(numbers iter.Seq[int]) error {
		w := s.workers.Get().(*worker)
		defer s.workers.Put(w)
		for i := range numbers {
			if s.ends() && !(first && i == 0) {
				break
			}
			w.searchGroup(groups[i].opened, groups[i].number)
		}
		return nil
	})
}

// open opens the files that tell where the target is: hashes of positions if every position
// of the games has a row, else the games.
func (s *search) open(o *opened) error {
	c, groups := o.commit, 0
	o.stored = s.q.Target.material == nil && c.Plies() == c.Rows && slices.Contains(s.ix.shape.Extra, encode.HashColumn)
	for _, of := range c.Parts() {
		p := s.ix.ds.Part(of)
		o.parts = append(o.parts, p)
		r, err := o.columns(p)
		if err != nil {
			return err
		}
		if len(o.parts) == 1 {
			o.second = r.Groups()
		}
		groups += r.Groups()
	}
	o.groups = make([][]Hit, groups)
	return nil
}

// columns returns a reader of the columns that are searched.
func (o *opened) columns(p *datasets.Part) (*datasets.ColumnReader, error) {
	if o.stored {
		return p.Columns(plan.PositionsFile, encode.HashColumn)
	}
	return p.Columns(plan.GamesFile, gameColumns[:colScore]...)
}

// worker searches groups. It belongs to one goroutine.
type worker struct {
	*search
	part    *datasets.Part // that reader reads
	reader  *datasets.ColumnReader
	pos     engine.Position
	counter *encode.MaterialCounter // nil: the target is a position
	rec     engine.Record
}

func (s *search) newWorker() *worker {
	shape := s.ix.shape
	w := &worker{search: s, pos: shape.Game.New(shape.Variant)}
	if s.q.Target.material != nil {
		w.counter = encode.NewMaterialCounter(&shape.Game)
	}
	return w
}

// searchGroup searches a group and notes the result.
func (w *worker) searchGroup(o *opened, group int) {
	var hits []Hit
	err := goroutine.Catch(func() (err error) { hits, err = w.scan(o, group); return err })
	w.mu.Lock()
	defer w.mu.Unlock()
	if err != nil {
		o.err = err
		return
	}
	o.groups[group] = append([]Hit{}, hits...) // not nil
	w.hits += len(hits)
}

// scan returns the hits of a group.
func (w *worker) scan(o *opened, group int) ([]Hit, error) {
	part := o.parts[0]
	if group >= o.second {
		part, group = o.parts[len(o.parts)-1], group-o.second
	}
	if w.part != part {
		r, err := o.columns(part)
		if err != nil {
			return nil, err
		}
		w.part, w.reader = part, r
	}
	t, err := w.reader.Read(group)
	if err != nil {
		return nil, err
	}
	if o.stored {
		return w.scanHashes(o, part, group, t)
	}
	return w.scanGames(o, t)
}

// scanHashes returns the games of a group of positions that have the hash.
func (w *worker) scanHashes(o *opened, part *datasets.Part, group int, t *encode.Table) (hits []Hit, err error) {
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
	r, err := part.Columns(plan.PositionsFile, encode.GameColumn, encode.PlyColumn)
	if err != nil {
		return nil, err
	}
	t, err = r.Read(group)
	if err != nil {
		return nil, err
	}
	for _, i := range rows {
		row, err := o.row(t.Cell(0, i))
		if err != nil {
			return nil, err
		}
		if n := len(hits); row >= 0 && (n == 0 || hits[n-1].Row != row) {
			hits = append(hits, Hit{w.state.game(o.shard, row), int(binary.LittleEndian.Uint16(t.Cell(1, i)))})
		}
	}
	return hits, nil
}

// row returns the place of a game, given the cell with its number; -1 if it is not to be searched.
func (o *opened) row(cell []byte) (int, error) {
	row, err := o.shard.row(cell)
	if err == nil && o.fails != nil && o.fails[row] != 0 {
		row = -1
	}
	return row, err
}

// scanGames replays the games of a group.
func (w *worker) scanGames(o *opened, t *encode.Table) (hits []Hit, err error) {
	for i := range t.Rows {
		row, err := o.row(t.Cell(colGame, i))
		if err != nil {
			return nil, err
		}
		if row < 0 {
			continue
		}
		readGame(t, i, &w.rec)
		hit := -1
		err = replay(&w.ix.shape.Game, w.pos, &w.rec, func(ply int, _ engine.Move) bool {
			if w.isTarget() {
				hit = ply
			}
			return hit < 0
		})
		if err != nil {
			return nil, fmt.Errorf("game %d: %w", o.commit.FirstGame+uint64(row), err)
		}
		if hit >= 0 {
			hits = append(hits, Hit{w.state.game(o.shard, row), hit})
		}
	}
	return hits, nil
}

// isTarget reports whether the worker's position is what the search looks for.
func (w *worker) isTarget() bool {
	if w.counter != nil {
		return w.counter.Of(w.pos).Equal(w.q.Target.material)
	}
	return w.pos.Hash() == w.q.Target.hash
}
