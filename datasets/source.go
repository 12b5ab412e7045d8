package datasets

import (
	"context"
	"fmt"
	"sync/atomic"

	"selfplay/engine"
)

// Source is a finished dataset whose games are made into another dataset: its method Play
// is a Play for Make. A shard is a function of its plan and its games, so the new dataset
// equals the one that playing the games again would give.
//
// The methods of a Source may be called by several goroutines.
type Source struct {
	ds      *Dataset
	games   uint64
	commits map[int]*Commit

	played, plies atomic.Uint64
}

// Source returns the dataset as a source of games. It reads all commit records and
// compares the SHA-256 of every games file, so that a damaged dataset is refused before
// anything is made. The error is ErrUnfinished if the dataset lacks games.
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

// Finished returns the records of all shards, in shard order, and the number of their
// games. The error is ErrUnfinished if games of the target are missing.
func (ds *Dataset) Finished() (commits []*Commit, games uint64, err error) {
	if commits, err = ds.Commits(); err != nil {
		return nil, 0, err
	}
	if games, err = readTarget(ds.d); err != nil {
		return nil, 0, err
	}
	games = max(games, endOf(commits))
	if missing := missingShards(ds.h.plan, commits, games); len(missing) > 0 || games == 0 {
		return nil, 0, fmt.Errorf("read %s: %w: %d of %d shards are missing", ds.d.Root, ErrUnfinished, len(missing), ds.h.plan.shards(games))
	}
	return commits, games, nil
}

// Games returns the number of games in the dataset.
func (s *Source) Games() uint64 { return s.games }

// Progress returns the number of games, and of their plies, that Play has delivered.
func (s *Source) Progress() (games, plies uint64) { return s.played.Load(), s.plies.Load() }

// Play delivers the given games to sink; they must belong to one shard. It never calls
// finished. See type Play.
func (s *Source) Play(ctx context.Context, games []uint64, _, sink func(*engine.Record) error) error {
	c := s.commits[int(games[0]/uint64(s.ds.h.plan.ShardGames))]
	if c == nil {
		return fmt.Errorf("read %s: no game %d", s.ds.d.Root, games[0])
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
	return fmt.Errorf("read %s: no game %d in shard %05d", s.ds.d.Root, games[0], c.Shard)
}
