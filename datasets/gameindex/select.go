package gameindex

import (
	"context"
	"iter"
	"runtime"
	"sync"
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
	err := s.state.each(ctx, func(shards iter.Seq[int]) {
		n := 0
		for i := range shards {
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

// sum returns the sums of counters of all shards. tally adds those of a shard.
func (s *Selection) sum(ctx context.Context, size int, tally func(counts []uint32, shard int)) ([]int, error) {
	sums := make([]int, size)
	var mu sync.Mutex
	err := s.state.each(ctx, func(shards iter.Seq[int]) {
		counts := make([]uint32, size)
		for i := range shards {
			tally(counts, i)
		}
		mu.Lock()
		defer mu.Unlock()
		for i, n := range counts {
			sums[i] += int(n)
		}
	})
	return sums, err
}

// each runs scan in several goroutines, which divide the shards among them. It returns early if ctx
// ends, with its cause.
func (s *state) each(ctx context.Context, scan func(shards iter.Seq[int])) error {
	var taken atomic.Int64
	next := func(yield func(int) bool) {
		for i := taken.Add(1) - 1; i < int64(len(s.shards)) && ctx.Err() == nil && yield(int(i)); i = taken.Add(1) - 1 {
		}
	}
	g := goroutine.New()
	for range min(runtime.GOMAXPROCS(0), len(s.shards)) {
		g.Go(func() error { scan(next); return nil })
	}
	if err := g.Wait(); err != nil {
		return err
	}
	return context.Cause(ctx)
}
