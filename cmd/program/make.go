package program

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"

	"selfplay/cmd/internal/human"
	"selfplay/datasets"
	"selfplay/datasets/making"
	"selfplay/datasets/status"
	"selfplay/engine"
	"selfplay/internal/goroutine"
	"selfplay/workers"
)

// make is makeUntil with the times of a run that begins now.
func (j *runJob) make(ctx context.Context, p *meter) (making.Summary, error) {
	times, release := j.stop.begin(ctx)
	defer release()
	return j.makeUntil(times, p)
}

// makeUntil makes the games that the dataset does not have yet.
func (j *runJob) makeUntil(times stopTimes, p *meter) (making.Summary, error) {
	pool := workers.Start(j.series, j.workers)
	defer pool.Close()
	if j.series.Searches() {
		p.ShowRows()
	}
	defer p.WatchRun(following(pool))()
	play, release := times.watch(pool, func(cause error, signal bool) { j.announceStop(p, cause, signal) })
	defer release()
	o := j.optionsOf(pool)
	o.Play = play
	o.Notify, o.Run = p.Notify, p.Look
	o.Rows = p.CountRows(o.Rows)
	made, err := making.Make(times.work, j.out, j.plan, j.games, o)
	return made, j.models.Explain(err)
}

// optionsOf returns options with the Play of a pool.
func (j *runJob) optionsOf(pool *workers.Pool) making.Options {
	o := j.options(pool.Play)
	if j.series.GamesAtOnce() > 0 {
		o.AwaitIdle = pool.AwaitIdle
	}
	return o
}

// options returns what Make needs besides the plan.
func (j *runJob) options(play datasets.Play) making.Options {
	return making.Options{
		Play:        play,
		Rows:        j.shape.Rows(),
		Description: j.shape.Description(),
		About:       j.about,
		Networks:    j.nets,
		Answers:     j.models.Answers(),
		Recheck:     j.models.Recheck(),
		Check:       j.check,
		OpenShards:  min(j.workers, runtime.GOMAXPROCS(0)), // encoding rows takes a processor too
		Build:       programVersion(),
		MinFree:     j.minFree,
		Task:        j.task,
		Rebuild:     j.rebuild,
	}
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
func (j *runJob) announceStop(p *meter, cause error, signal bool) {
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

// following returns a function that sets what a pool has played.
func following(pool *workers.Pool) func(*status.Run) {
	return func(r *status.Run) {
		r.Played, r.Plies = pool.Progress()
		r.Busy, r.WorkerTime = pool.Busy(), pool.WorkerTime()
		r.Models = modelsOf(pool)
	}
}

// modelsOf returns how much models were asked.
func modelsOf(pool *workers.Pool) (list []status.Model) {
	for _, m := range pool.Models() {
		list = append(list, status.Model{
			Name: m.Name, Evaluations: m.Evaluations, Batch: m.Batch, Batches: m.Batches,
			FullEvaluations: m.FullEvaluations, FullBatches: m.FullBatches, Evaluators: m.Evaluators,
			BusyTime: m.Busy, EvaluatorCPU: seconds(m.CPU),
		})
	}
	return list
}

// seconds converts nanoseconds.
func seconds(ns int64) float64 { return float64(ns) / 1e9 }
