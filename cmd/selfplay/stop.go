package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/app"
	"selfplay/datasets"
	"selfplay/engine"
	"selfplay/workers"
)

// A run is asked to stop by a signal, which ends the context of its command, or by
// --stop-after. No game begins then; those under way have --grace to end, and what is
// finished is kept in journals. A second signal ends the process where it stands:
// that costs the games under way and nothing else.

// stopping says when a run stops before its end.
type stopping struct {
	after time.Duration // 0: never
	grace time.Duration
}

func stopFlags() []cli.Flag {
	return []cli.Flag{
		&cli.DurationFlag{Name: "stop-after", Usage: "stop as after a signal when so much `TIME` has passed: 8h, 90m", DefaultText: "never"},
		&cli.DurationFlag{Name: "grace", Value: 25 * time.Second, Usage: "let games under way finish for so much `TIME` when the run is stopped"},
	}
}

// chosenStopping reads these flags.
func chosenStopping(c *cli.Context) (stopping, error) {
	s := stopping{after: c.Duration("stop-after"), grace: c.Duration("grace")}
	switch {
	case s.after < 0 || s.after == 0 && c.IsSet("stop-after"):
		return s, app.Usage("stop-after %v: want more than 0", s.after)
	case s.grace < 0:
		return s, app.Usage("grace %v: want 0 or more", s.grace)
	}
	return s, nil
}

// brake stops pool when asked ends or the time is over. The context work ends when
// games under way have had their grace; play is for it.
func (s stopping) brake(asked context.Context, pool *workers.Pool, log *slog.Logger) (work context.Context, play datasets.Play, release func()) {
	work, abandon := context.WithCancelCause(context.WithoutCancel(asked))
	cancel := func() {}
	if s.after > 0 {
		asked, cancel = context.WithTimeoutCause(asked, s.after, fmt.Errorf("%v are over", s.after))
	}
	unwatch := context.AfterFunc(asked, func() {
		why := context.Cause(asked)
		log.Info("stopping", "why", why.Error(), "grace", s.grace.String())
		pool.Stop()
		select {
		case <-time.After(s.grace):
			abandon(why)
		case <-work.Done():
		}
	})
	why := func() error { return context.Cause(asked) }
	return work, stoppable(pool, why), func() {
		unwatch()
		cancel()
		abandon(nil)
	}
}

// stoppable is the pool's Play in the words of package datasets.
func stoppable(pool *workers.Pool, why func() error) datasets.Play {
	return func(ctx context.Context, games []uint64, finished, sink func(*engine.Record) error) error {
		err := pool.Play(ctx, games, finished, sink)
		if errors.Is(err, workers.ErrStopped) {
			return fmt.Errorf("%w: %w", datasets.ErrIncomplete, why())
		}
		return err
	}
}

// goesOn says how to go on after a run that was stopped.
func goesOn(err error, made datasets.Summary) error {
	if !errors.Is(err, datasets.ErrIncomplete) {
		return err
	}
	return fmt.Errorf("%w; %s of %s games are in shards and %s in journals: the same command goes on from there",
		err, number(made.Games), number(made.Target), number(made.Journaled))
}
