package program

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/app"
	"selfplay/cmd/internal/human"
	"selfplay/cmd/internal/progress"
	"selfplay/datasets"
	"selfplay/datasets/making"
	"selfplay/datasets/status"
	"selfplay/engine"
	"selfplay/internal/goroutine"
	"selfplay/workers"
)

// A signal, which cancels the context of the command, or --stop-after asks a run to stop.
// No game begins after that. Fast games under way have --grace to finish; those with slow decisions
// end after the next one. Journals keep both, and the next run goes on from there. A second signal
// ends the process at once and loses only searches and fast games under way.

// stopping says when a run stops before its target.
type stopping struct {
	after time.Duration // 0: never
	grace time.Duration
}

func stopFlags() []cli.Flag {
	return []cli.Flag{
		&cli.DurationFlag{Name: "stop-after", Category: app.Output, Usage: "stop after this `TIME`, such as 8h or 90m; the same command resumes", DefaultText: "never"},
		&cli.DurationFlag{Name: "grace", Category: app.Output, Value: 25 * time.Second, Usage: "when stopped, let fast games finish, and slow ones their decision, for this `TIME`"},
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

// stopTimes are the two moments of a stop, as contexts that end with its cause.
type stopTimes struct {
	command context.Context // ends with a signal
	asked   context.Context // ends with a signal, or when --stop-after has passed: no game begins then
	work    context.Context // ends when the grace is over
	abandon context.CancelCauseFunc
}

// begin starts the clock of a run. The caller calls release.
func (s stopping) begin(ctx context.Context) (t stopTimes, release func()) {
	t, cancel := stopTimes{command: ctx, asked: ctx}, func() {}
	if s.after > 0 {
		t.asked, cancel = context.WithTimeoutCause(ctx, s.after, fmt.Errorf("--stop-after %v", s.after))
	}
	t.work, t.abandon = context.WithCancelCause(context.WithoutCancel(ctx))
	unwatch := context.AfterFunc(t.asked, func() {
		select {
		case <-time.After(s.grace):
			t.abandon(context.Cause(t.asked))
		case <-t.work.Done():
		}
	})
	return t, func() {
		unwatch()
		cancel()
		t.abandon(nil)
	}
}

// watch stops the pool when the run is asked to stop, and calls announce with the cause. signal is set
// if it was a signal. It returns the Play for Make. The caller calls release.
func (t stopTimes) watch(pool *workers.Pool, announce func(cause error, signal bool)) (play datasets.Play, release func() bool) {
	return playUntilStopped(t.asked, pool), context.AfterFunc(t.asked, func() {
		err := goroutine.Catch(func() error {
			announce(context.Cause(t.asked), t.command.Err() != nil)
			pool.Stop()
			return nil
		})
		if err != nil {
			t.abandon(err)
		}
	})
}

// announceStop says that the run stops, what happens to games under way, and how to end at
// once. One signal has no effect after --stop-after, so that case needs two.
func (j *job) announceStop(p *progress.Progress, cause error, signal bool) {
	p.Set(func(r *status.Run) { r.State = status.Stopping })
	again, ctrlC := "a second signal ends the process at once", "Press Ctrl-C again to quit at once."
	if !signal {
		again, ctrlC = "two signals end the process at once", "Press Ctrl-C twice to quit at once."
	}
	text := fmt.Sprintf("Stopping (%v): no new game begins. Fast games under way have %v to finish, slow ones stop after a decision; all are kept. %s", cause, j.stop.grace, ctrlC)
	p.Notice(text, "stopping", "why", cause.Error(), "grace", j.stop.grace.String(), "next", again)
}

// playUntilStopped returns the pool's Play with the error that package datasets expects
// from a stopped run. The cause is that of ctx.
func playUntilStopped(ctx context.Context, pool *workers.Pool) datasets.Play {
	return func(work context.Context, games []uint64, journal engine.Journal, sink func(*engine.Record) error) error {
		err := pool.Play(work, games, journal, sink)
		if errors.Is(err, workers.ErrStopped) {
			return fmt.Errorf("%w: %w", datasets.ErrIncomplete, context.Cause(ctx))
		}
		if failure := (*workers.ModelError)(nil); errors.As(err, &failure) {
			return fmt.Errorf("%w: %w", datasets.ErrUnanswered, err)
		}
		return err
	}
}

// explainStop adds to the error of a stopped run what is done and how to resume.
func explainStop(err error, made making.Summary) error {
	if !errors.Is(err, datasets.ErrIncomplete) {
		return err
	}
	if made.Target == 0 { // it had not begun
		return fmt.Errorf("%w; the same command resumes", err)
	}
	return fmt.Errorf("%w; %s of %s are in shards and %s in journals: the same command resumes",
		err, human.Number(made.Games), human.Count(made.Target, "game"), human.Number(made.Journaled))
}
