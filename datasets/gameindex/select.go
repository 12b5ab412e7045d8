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
	m := s.state.newMatcher(&f, ix.ds.Plan().Splits())
	total, err := s.sum(ctx, 1, func(counts []uint32, i int) {
		m.mark(s.state.shards[i], s.fails[i])
		counts[0] += countMatches(s.fails[i], 0)
	})
	s.total = total[0]
	return s, err
}

// Total returns the number of games that match.
func (s *Selection) Total() int { return s.total }

// sum returns the sums of counters of all shards. tally adds those of a shard.
func (s *Selection) sum(ctx context.Context, size int, tally func(counts []uint32, shard int)) ([]int, error) {
	sums := make([]int, size)
	var mu sync.Mutex
	err := divide(ctx, len(s.state.shards), func(shards iter.Seq[int]) error {
		counts := make([]uint32, size)
		for i := range shards {
			tally(counts, i)
		}
		mu.Lock()
		defer mu.Unlock()
		for i, n := range counts {
			sums[i] += int(n)
		}
		return nil
	})
	return sums, err
}

// divide runs work in several goroutines, which divide the numbers below n among them, in order. It
// returns early if ctx ends, with its cause.
func divide(ctx context.Context, n int, work func(numbers iter.Seq[int]) error) error {
	var taken atomic.Int64
	numbers := func(yield func(int) bool) {
		for i := int(taken.Add(1)) - 1; i < n && ctx.Err() == nil && yield(i); i = int(taken.Add(1)) - 1 {
		}
	}
	g := goroutine.New()
	for range min(runtime.GOMAXPROCS(0), n) {
		g.Go(func() error { return work(numbers) })
	}
	if err := g.Wait(); err != nil {
		return err
	}
	return context.Cause(ctx)
}
