package making

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"selfplay/datasets/internal/fault"
	"selfplay/datasets/plan"
)

// Make extends the dataset in root to games games and creates it if it does not exist.
// The same call resumes a run that was stopped or killed; committed shards are kept.
//
// Make returns when all its goroutines have ended. It holds the lock of the dataset while
// it runs: exclusively, or shared if Options.Task is set. In an object store no lock reaches other
// machines, so Make works as a task does, and may run there several times at once.
//
// The error is ErrIncomplete if ctx ended or Play was asked to stop; the others are
// ErrNoSpace, ErrPlanMismatch, ErrNotDataset, ErrNoRecords, ErrNotForTasks, ErrLocked,
// ErrNondeterminism, ErrUnsupported and ErrCorrupt, or plain errors of the disk and of
// Play. The summary is valid with any error that occurs while shards are made. If the
// run failed before that, Summary.Target is 0.
func Make(ctx context.Context, root string, p plan.Plan, games uint64, o Options) (Summary, error) {
	if games == 0 {
		return Summary{}, fmt.Errorf("make dataset: no games")
	}
	if most := plan.MaxShards * uint64(p.WithDefaults().ShardGames); games > most {
		return Summary{}, fmt.Errorf("make dataset: %d games: at most %d in %d shards", games, most, plan.MaxShards)
	}
	r, err := openRun(root, p, o)
	if err != nil {
		return Summary{}, explainNoSpace(explainEnd(ctx, err))
	}
	defer r.lock.Release()
	if err := r.resume(games); err != nil {
		return Summary{PlanHash: r.h.Hash}, explainNoSpace(explainEnd(ctx, err))
	}
	beats := r.startHeartbeat() // a run that is refused leaves none
	err = r.finish(r.discardDoubtful(ctx, r.makeShards(ctx)))
	s := r.summary()
	if errors.Is(err, fault.ErrIncomplete) {
		journaled, countErr := r.journaled()
		s.Journaled, err = plan.Total(journaled), cmp.Or(countErr, err)
	}
	err = explainNoSpace(err)
	r.endHeartbeat(beats, err)
	return s, err
}

// finish writes the derived files of a run that ended with err, unless the run failed or
// is a task. The only task of a dataset in a store writes them if it is done: other runs may
// have added shards to an unfinished dataset since. It returns err joined with its own error.
func (r *run) finish(err error) error {
	stopped := errors.Is(err, fault.ErrIncomplete)
	if !r.derives() || r.soleTask && err != nil || err != nil && !stopped {
		return err
	}
	finalizeErr := r.finalize()
	switch {
	case finalizeErr == nil, stopped && errors.Is(finalizeErr, fault.ErrCorrupt):
		return err // the run that completes the dataset decides about damage and reports it
	default:
		return finalizeErr // a stop is no excuse for it
	}
}
