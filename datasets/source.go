package datasets

import (
	"context"
	"fmt"
	"iter"
	"sort"

	"selfplay/datasets/internal/fault"
	"selfplay/datasets/journal"
	"selfplay/datasets/plan"
	"selfplay/datasets/record"
	"selfplay/engine"
)

// Source reads the games of finished datasets, one dataset after the other. Games are
// numbered from 0 without a gap, across all datasets. Its Play takes the place of a player
// in Make, which then makes other rows of the same games.
//
// A shard is a function of its plan and its games. If there is one dataset and the new
// plan differs only in how rows are made, the new shards are therefore those that playing
// the games would give. The zero value has no games. Several goroutines may use a Source
// after the last Add.
type Source struct {
	shards []sourceShard
	games  uint64
	plies  uint64

	sent journal.Sender
}

// sourceShard is a shard of one of the datasets.
type sourceShard struct {
	ds    *Dataset
	c     *record.Commit
	first uint64 // number of its first game in the source
}

// Source returns a source of the games of the dataset. For errors see Add.
func (ds *Dataset) Source(ctx context.Context) (*Source, error) {
	s := new(Source)
	if err := s.Add(ctx, ds); err != nil {
		return nil, err
	}
	return s, nil
}

// Add appends the games of a dataset. It compares the SHA-256 of every games file, so that
// a damaged dataset is refused before anything is made of it. The error is ErrUnfinished if
// games of the dataset are missing.
func (s *Source) Add(ctx context.Context, ds *Dataset) error {
	commits, _, err := ds.FinishedCommits()
	if err != nil {
		return err
	}
	for _, p := range record.PartsOf(commits) {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		part := ds.Part(p)
		err := part.Check(plan.GamesFile)
		part.Close()
		if err != nil {
			return err
		}
	}
	for _, c := range commits {
		s.shards = append(s.shards, sourceShard{ds, c, s.games})
		s.games += c.Games
		s.plies += c.Plies()
	}
	return nil
}

// FinishedCommits returns the commit records of all shards, and the number of games. The error is
// ErrUnfinished if shards of the target are missing.
func (ds *Dataset) FinishedCommits() (commits []*record.Commit, games uint64, err error) {
	commits, err = ds.Commits()
	if err == nil {
		games, err = ds.CheckFinished(commits)
	}
	if err != nil {
		return nil, 0, err
	}
	return commits, games, nil
}

// CheckFinished is FinishedCommits of the records of all shards.
func (ds *Dataset) CheckFinished(commits []*record.Commit) (games uint64, err error) {
	target, err := record.ReadTarget(ds.d)
	if err != nil {
		return 0, err
	}
	games = max(target, record.EndOf(commits))
	missing := record.Missing(ds.file.Plan, commits, games)
	if len(missing) > 0 || games == 0 {
		return 0, fmt.Errorf("read %s: %w: %d of %d shards are missing", ds.d, ErrUnfinished, len(missing), ds.file.Plan.Shards(games))
	}
	return games, nil
}

// Games returns the number of games.
func (s *Source) Games() uint64 { return s.games }

// Plies returns the number of plies of all games.
func (s *Source) Plies() uint64 { return s.plies }

// Progress returns how many games Play has sent, and their plies.
func (s *Source) Progress() (games, plies uint64) { return s.sent.Progress() }

// All yields all games. A record is valid until the next one. An error ends the sequence.
func (s *Source) All() iter.Seq2[*engine.Record, error] { return s.from(0) }

// from yields the games with number first and above.
func (s *Source) from(first uint64) iter.Seq2[*engine.Record, error] {
	return func(yield func(*engine.Record, error) bool) {
		begin := sort.Search(len(s.shards), func(i int) bool { return s.shards[i].first+s.shards[i].c.Games > first })
		for _, shard := range s.shards[begin:] {
			for r, err := range shard.ds.Games(shard.c.Parts()...) {
				if err != nil {
					yield(nil, &fault.ShardError{Op: "read", Shard: shard.c.Shard, Err: err})
					return
				}
				r.Game = r.Game - shard.c.FirstGame + shard.first
				if r.Game < first {
					continue
				}
				if !yield(r, nil) {
					return
				}
			}
		}
	}
}

// Reader returns a function that sets a record to that of a game, for ascending numbers of games
// from first on. It belongs to one goroutine, which calls stop at the end.
func (s *Source) Reader(first uint64) (read func(game uint64, r *engine.Record) error, stop func()) {
	next, stop := iter.Pull2(s.from(first))
	return func(game uint64, r *engine.Record) error {
		for {
			rec, err, ok := next()
			switch {
			case err != nil:
				return err
			case !ok || rec.Game > game:
				return fmt.Errorf("read games: the source has no game %d", game)
			case rec.Game == game:
				r.CopyFrom(rec)
				return nil
			}
		}
	}, stop
}

// Play sends the records of games, whose numbers ascend, to sink. See type Play.
func (s *Source) Play(ctx context.Context, games []uint64, _ engine.Journal, sink func(*engine.Record) error) error {
	return s.sent.Send(ctx, s.from(games[0]), games, sink)
}
