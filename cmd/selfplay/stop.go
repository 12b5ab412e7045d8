package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/app"
	"selfplay/cmd/internal/progress"
	"selfplay/datasets"
	"selfplay/engine"
	"selfplay/internal/goroutine"
	"selfplay/workers"
)

// A signal, which cancels the context of the command, or --stop-after asks a run to stop.
// No game begins after that. Games under way have --grace to finish, and journals keep the
// finished ones. A second signal ends the process at once and loses only the games under
// way.

// stopping says when a run stops before its target.
type stopping struct {
	after time.Duration // 0: never
	grace time.Duration
}

func stopFlags() []cli.Flag {
	return []cli.Flag{
		&cli.DurationFlag{Name: "stop-after", Category: app.Output, Usage: "stop after this `TIME`, as 8h or 90m; the same command resumes", DefaultText: "never"},
		&cli.DurationFlag{Name: "grace", Category: app.Output, Value: 25 * time.Second, Usage: "when stopped, let games under way finish for this `TIME`"},
	}
}

// stoppingFrom reads stopFlags.
func stoppingFrom(c *cli.Context) (stopping, error) {
	s := stopping{after: c.Duration("stop-after"), grace: c.Duration("grace")}
	switch {
	case s.after < 0 || s.after == 0 && c.IsSet("stop-after"):
		return s, app.Usage("stop-after %v: want more than 0", s.after)
	case s.grace < 0:
		return s, app.Usage("grace %v: want 0 or more", s.grace)
	}
	return s, nil
}

// watch stops the pool when ctx is done or --stop-after has passed, and calls announce with
// the cause. signal is set if ctx was done. It returns the context and the Play for Make: the
// context ends when the grace is over. The caller calls release.
func (s stopping) watch(ctx context.Context, pool *workers.Pool, announce func(cause error, signal bool)) (work context.Context, play datasets.Play, release func()) {
	work, abandon := context.WithCancelCause(context.WithoutCancel(ctx))
	command, cancel := ctx, func() {}
	if s.after > 0 {
		ctx, cancel = context.WithTimeoutCause(ctx, s.after, fmt.Errorf("--stop-after %v", s.after))
	}
	unwatch := context.AfterFunc(ctx, func() {
		if err := goroutine.Catch(func() error { s.stop(ctx, work, abandon, pool, announce, command.Err() != nil); return nil }); err != nil {
			abandon(err)
		}
	})
	return work, playUntilStopped(ctx, pool), func() {
		unwatch()
		cancel()
		abandon(nil)
	}
}

// announceStop says that the run stops, what happens to games under way, and how to end at
// once. One signal has no effect after --stop-after, so that case needs two.
func (j *job) announceStop(p *progress.Progress, cause error, signal bool) {
	if j.tracker != nil {
		j.tracker.stopping()
	}
	again, ctrlC := "a second signal ends the process at once", "Press Ctrl-C again to quit at once."
	if !signal {
		again, ctrlC = "two signals end the process at once", "Press Ctrl-C twice to quit at once."
	}
	text := fmt.Sprintf("Stopping (%v): no new game begins, games under way have %v to finish, and finished games are kept. %s", cause, j.stop.grace, ctrlC)
	p.Notice(text, "stopping", "why", cause.Error(), "grace", j.stop.grace.String(), "next", again)
}

// stop announces the stop, stops the pool, and abandons its games if work goes on when the
// grace is over. ctx is done.
func (s stopping) stop(ctx, work context.Context, abandon context.CancelCauseFunc, pool *workers.Pool, announce func(error, bool), signal bool) {
	cause := context.Cause(ctx)
	announce(cause, signal)
	pool.Stop()
	select {
	case <-time.After(s.grace):
		abandon(cause)
	case <-work.Done():
	}
}

// playUntilStopped returns the pool's Play with the error that package datasets expects
// from a stopped run. The cause is that of ctx.
func playUntilStopped(ctx context.Context, pool *workers.Pool) datasets.Play {
	return func(work context.Context, games []uint64, finished, sink func(*engine.Record) error) error {
		err := pool.Play(work, games, finished, sink)
		if errors.Is(err, workers.ErrStopped) {
			return fmt.Errorf("%w: %w", datasets.ErrIncomplete, context.Cause(ctx))
		}
		return err
	}
}

// explainStop adds to the error of a stopped run what is done and how to resume.
func explainStop(err error, made datasets.Summary) error {
	if !errors.Is(err, datasets.ErrIncomplete) {
		return err
	}
	return fmt.Errorf("%w; %s of %s are in shards and %s in journals: the same command resumes",
		err, app.Number(made.Games), app.Count(made.Target, "game"), app.Number(made.Journaled))
}
