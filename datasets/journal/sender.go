package journal

import (
	"context"
	"fmt"
	"iter"
	"sync/atomic"

	"selfplay/engine"
)

// Sender sends the records of chosen games to sinks and counts them. Any goroutine may read
// the counts.
type Sender struct{ games, plies atomic.Uint64 }

// Progress returns the number of games and plies sent so far.
func (s *Sender) Progress() (games, plies uint64) { return s.games.Load(), s.plies.Load() }

// Send sends those of records whose numbers are in games to sink. Both ascend. It returns the
// first error, also if a game is missing.
func (s *Sender) Send(ctx context.Context, records iter.Seq2[*engine.Record, error], games []uint64, sink func(*engine.Record) error) error {
	for r, err := range records {
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
		s.games.Add(1)
		s.plies.Add(uint64(len(r.Actions)))
		if games = games[1:]; len(games) == 0 {
			return nil
		}
	}
	return fmt.Errorf("read games: the source has no game %d", games[0])
}
