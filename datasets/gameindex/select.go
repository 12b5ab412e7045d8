package gameindex

import (
	"context"
	"runtime"
	"sync/atomic"

	"selfplay/internal/goroutine"
)

// Selection is the games that match a filter, of one state of the index. Its methods may be called
// by several goroutines.
type Selection struct {
	state  *state
	filter Filter
	fails  [][]uint8 // of each shard: the conditions that each game fails
	total  int
}

// Select returns the games that match a filter. It takes a byte of memory a game.
func (ix *Index) Select(ctx context.Context, f Filter) (*Selection, error) {
	if err := f.check(); err != nil {
		return nil, err
	}
	s := &Selection{state: ix.state.Load(), filter: f}
	s.fails = make([][]uint8, len(s.state.shards))
	all, at := make([]uint8, s.state.games), 0
	for i, sh := range s.state.shards {
		s.fails[i] = all[at : at+sh.games()]
		at += sh.games()
	}
	m := s.state.newMatcher(&f)
	var total atomic.Int64
	err := s.state.each(ctx, func(_ int, next func() (int, bool)) {
		n := 0
		for i, ok := next(); ok; i, ok = next() {
			m.mark(s.state.shards[i], s.fails[i])
			n += int(countMatches(s.fails[i], 0))
		}
		total.Add(int64(n))
	})
	s.total = int(total.Load())
	return s, err
}

// Total returns the number of games that match.
func (s *Selection) Total() int { return s.total }

// Games returns the number of games of the index, whether they match or not.
func (s *Selection) Games() int { return s.state.games }

// readers returns the number of goroutines that scan the columns.
func (s *state) readers() int { return max(1, min(runtime.GOMAXPROCS(0), len(s.shards))) }

// each runs scan in readers() goroutines, which divide the shards among them by next. It returns
// early if ctx ends, with its cause.
func (s *state) each(ctx context.Context, scan func(reader int, next func() (shard int, ok bool))) error {
	var taken atomic.Int64
	next := func() (int, bool) {
		i := int(taken.Add(1)) - 1
		return i, i < len(s.shards) && ctx.Err() == nil
	}
	g := goroutine.New()
	for reader := range s.readers() {
		g.Go(func() error { scan(reader, next); return nil })
	}
	if err := g.Wait(); err != nil {
		return err
	}
	return context.Cause(ctx)
}
