package making

import (
	"context"
	"errors"
	"fmt"

	"selfplay/datasets/internal/fault"
	"selfplay/datasets/journal"
)

// A model of the user may change while it plays: state that it keeps, a training mode, another process behind its
// address. Nothing of its later games may count. No game is committed, and no journal of a stopped run kept, before the
// model has answered the fixed positions as at the start.

// errChanged: a model answers otherwise than at the start.
var errChanged = errors.New("the games since the last shard are discarded")

// changedModel marks the error of Recheck by which games are discarded.
func changedModel(err error) error {
	if errors.Is(err, fault.ErrNondeterminism) {
		return fmt.Errorf("%w: %w", err, errChanged)
	}
	return err
}

// discardDoubtful checks the models of a stopped run, and removes the journals of all shards under way if a model has
// changed. A run that was killed checks nothing: its journals are believed.
func (r *run) discardDoubtful(ctx context.Context, err error) error {
	if r.o.Recheck != nil && r.stopped != nil && ctx.Err() == nil && len(r.begun) > 0 && !errors.Is(err, fault.ErrUnanswered) {
		again := changedModel(r.o.Recheck(ctx))
		if errors.Is(again, errChanged) { // a model that is away says nothing about the games
			err = again
		}
	}
	if !errors.Is(err, errChanged) {
		return err
	}
	for _, s := range r.begun {
		if !r.committed[s] {
			err = errors.Join(err, journal.Drop(r.d, s))
		}
	}
	return err
}
