package gameindex

import (
	"context"
	"fmt"
	"iter"
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"selfplay/datasets/plan"
	"selfplay/engine"
	"selfplay/internal/goroutine"
)

// Filter says which games match. The zero value matches all games.
type Filter struct {
	Results []engine.Result // any of these; nil: all
	Reasons []engine.Reason // any of these; nil: all
	Plies   *Range
	Drop    *Range    // in 10,000ths; games whose drop is unknown never match. nil: all
	Leads   [2]*Range // largest leads of the side that moves first, and of the other; nil: all
	Player  string    // of either side; "": all
	Players [2]string // of side 0 and of side 1; "": all
	// Opening is the actions that the game begins with, at most OpeningPlies. Games that begin at
	// a position of their own match only the empty opening.
	Opening []uint16
	Games   *Range // numbers in the dataset
	Shards  *Range
	Split   string // plan.Train or plan.Validation; "": both
}

// Range is a range of numbers, both ends included. A nil range has all numbers.
type Range struct{ Min, Max int }

// has reports whether the range includes v.
func (r *Range) has(v int) bool { return r == nil || v >= r.Min && v <= r.Max }

// check returns an error if the index cannot apply the filter.
func (f *Filter) check() error {
	if len(f.Opening) > OpeningPlies {
		return fmt.Errorf("filter games: an opening of %d plies: the index has the first %d", len(f.Opening), OpeningPlies)
	}
	return nil
}

// The conditions of a filter, as bits. A game has the bits of the conditions that it fails.
const (
	failsResult  uint8 = 1 << 0
	failsReason  uint8 = 1 << 1
	failsPlies   uint8 = 1 << 2
	failsDrop    uint8 = 1 << 3
	failsPlayers uint8 = 1 << 4
	failsOpening uint8 = 1 << 5
	failsPlace   uint8 = 1 << 6 // number, shard or split
	failsLead    uint8 = 1 << 7
)

// matcher applies a filter to shards. Several goroutines may use it.
type matcher struct {
	*Filter
	splits           plan.Splits
	results, reasons [256]uint8 // bits that a value fails
	pairs            []uint8    // the same of pairs of players; nil: all match
}

func (s *state) newMatcher(f *Filter, splits plan.Splits) *matcher {
	m := &matcher{Filter: f, splits: splits}
	for v := range 256 {
		if f.Results != nil && !slices.Contains(f.Results, engine.Result(v)) {
			m.results[v] = failsResult
		}
		if f.Reasons != nil && !slices.Contains(f.Reasons, engine.Reason(v)) {
			m.reasons[v] = failsReason
		}
	}
	if f.Player == "" && f.Players == [2]string{} {
		return m
	}
	m.pairs = make([]uint8, len(s.players.pairs))
	for id := range m.pairs {
		if !f.hasPlayers(s.players.pair(uint32(id))) {
			m.pairs[id] = failsPlayers
		}
	}
	return m
}

// hasPlayers reports whether a pair of players matches.
func (f *Filter) hasPlayers(of [2]string) bool {
	for side, want := range f.Players {
		if want != "" && of[side] != want {
			return false
		}
	}
	return f.Player == "" || of[0] == f.Player || of[1] == f.Player
}

// mark sets the bits of the conditions that the games of a shard fail. fails has one element a
// game, 0 at first.
func (m *matcher) mark(s *shard, fails []uint8) {
	if m.Results != nil {
		markValues(fails, s.result, &m.results)
	}
	if m.Reasons != nil {
		markValues(fails, s.reason, &m.reasons)
	}
	if m.pairs != nil {
		for i, v := range s.players {
			fails[i] |= m.pairs[v]
		}
	}
	if m.Plies != nil {
		markRange(fails, s.plies, m.Plies, math.MaxUint16, failsPlies)
	}
	if m.Drop != nil {
		markRange(fails, s.drop, m.Drop, unknown-1, failsDrop)
	}
	for side, r := range m.Leads {
		if r != nil {
			markRange(fails, s.lead[side], r, unknown-1, failsLead)
		}
	}
	for ply, action := range m.Opening {
		markRange(fails, s.opening[ply], &Range{int(action), int(action)}, unknown-1, failsOpening)
	}
	m.markPlace(s, fails)
}

// markValues sets the bits of the values.
func markValues(fails, values []uint8, bits *[256]uint8) {
	fails = fails[:len(values)]
	for i, v := range values {
		fails[i] |= bits[v]
	}
}

// markRange sets a bit where a value is outside a range, or above most.
func markRange(fails []uint8, values []uint16, r *Range, most int, bit uint8) {
	low, high := max(r.Min, 0), min(r.Max, most)
	if low > high {
		setAll(fails, bit)
		return
	}
	first, width, fails := uint16(low), uint32(high-low), fails[:len(values)]
	for i, v := range values {
		fails[i] |= bit & -uint8((width-uint32(v-first))>>31) // the difference is negative outside
	}
}

// markPlace marks games by their numbers and their shard.
func (m *matcher) markPlace(s *shard, fails []uint8) {
	c := s.commit
	if !m.Shards.has(c.Shard) || m.Split != "" && c.PartOf(m.Split) == nil {
		setAll(fails, failsPlace)
		return
	}
	if m.Games == nil && (m.Split == "" || len(c.Parts()) == 1) {
		return
	}
	for i := range fails {
		game := c.FirstGame + uint64(i)
		if !m.Games.has(int(game)) || m.Split != "" && m.Split != m.splits.Of(game) {
			fails[i] |= failsPlace
		}
	}
}

func setAll(fails []uint8, bit uint8) {
	for i := range fails {
		fails[i] |= bit
	}
}

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
