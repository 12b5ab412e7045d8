package gameindex

import (
	"context"
	"errors"
	"runtime"

	"selfplay/datasets"
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
	Hits     []Hit // in the order of the games
	Searched int
	Shards   int
	// Next is the cursor to continue from, "" if all shards are done.
	Next string
	// Failed is the shards that could not be read, in order. They count as searched.
	Failed []*datasets.ShardError
}

// Find returns games in which a side decides at a position, or with a material, in the order of
// the games. Final positions, in which there is nothing to decide, do not count.
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
	defer s.close()
	g := goroutine.New()
	for reader := range s.readers {
		g.Go(func() error { s.run(reader); return nil })
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return nil, context.Cause(ctx)
	}
	return s.found(), nil
}

// newSearch returns a search that begins at a cursor.
func (ix *Index) newSearch(ctx context.Context, q Search, at cursor) *search {
	q.Limit = max(1, q.Limit)
	s := &search{ix: ix, ctx: ctx, q: q, at: at, state: ix.state.Load(), readers: runtime.GOMAXPROCS(0)}
	s.changed.L = &s.mu
	if q.Within != nil {
		s.state = q.Within.state
	}
	for i, sh := range s.state.shards {
		if sh.commit.Shard >= at.shard && s.wants(i) {
			s.todo = append(s.todo, i)
		}
	}
	s.begun = make([]*opened, len(s.todo))
	return s
}

// wants reports whether any game of a shard is to be searched.
func (s *search) wants(shard int) bool {
	if s.q.Within == nil {
		return true
	}
	for _, fails := range s.q.Within.fails[shard] {
		if fails == 0 {
			return true
		}
	}
	return false
}
