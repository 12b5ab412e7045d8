package export

import (
	"context"
	"fmt"
	"iter"
	"sync/atomic"

	"selfplay/datasets"
	"selfplay/datasets/dedup"
	"selfplay/engine"
)

// chain is the games of finished datasets, one after the other, in one space of
// numbers.
type chain struct {
	links []link
	games uint64
	rows  uint64 // at most: with those that filters left out

	played, plies atomic.Uint64
}

// link is a shard of one of the datasets.
type link struct {
	ds    *datasets.Dataset
	c     *datasets.Commit
	first uint64 // game in the chain
}

// add appends the games of a dataset, which has to be finished and whole.
func (ch *chain) add(ctx context.Context, ds *datasets.Dataset) error {
	if _, err := ds.Source(ctx); err != nil { // reads them all
		return err
	}
	commits, err := ds.Commits()
	for _, c := range commits {
		ch.links = append(ch.links, link{ds, c, ch.games})
		ch.games += c.Games
		ch.rows += plies(c)
	}
	return err
}

// plies returns how many decisions a shard has: those with a row and those without.
func plies(c *datasets.Commit) uint64 {
	n := c.Rows
	for _, d := range c.Dropped {
		n += d.Rows
	}
	return n
}

func (ch *chain) size() dedup.Size { return dedup.Size{Games: ch.games, Rows: ch.rows} }

// all yields all games. A record is valid until the next one.
func (ch *chain) all() dedup.Games { return ch.from(0) }

// from yields the games from number first on.
func (ch *chain) from(first uint64) dedup.Games {
	return func(yield func(*engine.Record, error) bool) {
		for _, l := range ch.links {
			if l.first+l.c.Games <= first {
				continue
			}
			for r, err := range l.ds.Games(l.c) {
				if err != nil {
					yield(nil, &datasets.ShardError{Op: "read", Shard: l.c.Shard, Err: err})
					return
				}
				if r.Game = r.Game - l.c.FirstGame + l.first; r.Game < first {
					continue
				}
				if !yield(r, nil) {
					return
				}
			}
		}
	}
}

// Play is one for datasets.Make.
func (ch *chain) Play(ctx context.Context, games []uint64, _, sink func(*engine.Record) error) error {
	for r, err := range iter.Seq2[*engine.Record, error](ch.from(games[0])) {
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
		ch.played.Add(1)
		ch.plies.Add(uint64(len(r.Actions)))
		if games = games[1:]; len(games) == 0 {
			return nil
		}
	}
	return fmt.Errorf("read games: there is no game %d", games[0])
}

// Progress returns how many games have been handed out, and their plies.
func (ch *chain) Progress() (games, plies uint64) { return ch.played.Load(), ch.plies.Load() }
