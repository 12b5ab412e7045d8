package gameindex

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"selfplay/datasets"
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
	if at.group++; at.group == o.second {
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
