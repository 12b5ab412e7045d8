package datasets

import (
	"context"
	"fmt"
	"sync/atomic"

	"selfplay/engine"
)

// Source is a finished dataset whose games are taken as if they were played: its
// Play is one for Make, which so makes other rows of the same games. A shard of the
// new dataset is a function of its plan and of the games of that shard, so it is
// the one that playing them would have given.
type Source struct {
	ds      *Dataset
	games   uint64
	commits map[int]*Commit

	played, plies atomic.Uint64
}

// Source reads the records of the dataset and compares the SHA-256 of every file of
// games, so that a damaged dataset is refused before anything is made of it. One
// that lacks games is ErrUnfinished.
func (ds *Dataset) Source(ctx context.Context) (*Source, error) {
	commits, games, err := ds.Finished()
	if err != nil {
		return nil, err
	}
	s := &Source{ds: ds, games: games, commits: map[int]*Commit{}}
	for _, c := range commits {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		f := c.Files[gamesFile]
		if err := checkSum(ds.d, f.Name, f); err != nil {
			return nil, &FileError{Op: "read", Path: f.Name, Err: err}
		}
		s.commits[c.Shard] = c
	}
	return s, nil
}

// Finished returns the records of all shards and how many games they have. Where games
// of the target are still to be made it is ErrUnfinished.
func (ds *Dataset) Finished() (commits []*Commit, games uint64, err error) {
	if commits, err = ds.Commits(); err != nil {
		return nil, 0, err
	}
	if games, err = readTarget(ds.d); err != nil {
		return nil, 0, err
	}
	if n := len(commits); n > 0 {
		games = max(games, commits[n-1].FirstGame+commits[n-1].Games)
	}
	if missing := missingShards(ds.h.plan, commits, games); len(missing) > 0 || games == 0 {
		return nil, 0, fmt.Errorf("read %s: %w: %d of %d shards are missing", ds.d.Root, ErrUnfinished, len(missing), ds.h.plan.shards(games))
	}
	return commits, games, nil
}

// Games returns how many games there are.
func (s *Source) Games() uint64 { return s.games }

// Progress returns how many games have been handed out, and their plies.
func (s *Source) Progress() (games, plies uint64) { return s.played.Load(), s.plies.Load() }

// Play hands the records of games of one shard to sink. See type Play.
func (s *Source) Play(ctx context.Context, games []uint64, _, sink func(*engine.Record) error) error {
	c := s.commits[int(games[0]/uint64(s.ds.h.plan.ShardGames))]
	if c == nil {
		return fmt.Errorf("read %s: it has no game %d", s.ds.d.Root, games[0])
	}
	for r, err := range s.ds.Games(c) {
		switch {
		case err != nil:
			return err
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case r.Game != games[0]:
			continue
		}
		if err := sink(r); err != nil {
			return err
		}
		s.played.Add(1)
		s.plies.Add(uint64(len(r.Actions)))
		if games = games[1:]; len(games) == 0 {
			return nil
		}
	}
	return fmt.Errorf("read %s: shard %05d has no game %d", s.ds.d.Root, c.Shard, games[0])
}
