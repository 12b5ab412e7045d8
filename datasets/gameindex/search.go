package gameindex

import (
	"context"
	"iter"
	"runtime"
	"slices"
	"sync"

	"selfplay/datasets"
	"selfplay/datasets/plan"
	"selfplay/encode"
	"selfplay/internal/goroutine"
)

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
