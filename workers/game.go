package workers

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime/debug"

	"selfplay/engine"
)

// worker plays one game after the other on memory that it keeps. It belongs to
// one goroutine. The padding keeps what two workers write at every ply on
// different cache lines.
type worker struct {
	_       [128]byte
	series  *Series
	names   [2]string
	pos     engine.Position
	players [2]Player
	src     rand.PCG
	_       [128]byte
}

func newWorker(s *Series) *worker {
	w := &worker{series: s}
	for side, spec := range s.Players {
		w.names[side] = spec.String()
	}
	w.reset()
	return w
}

// reset makes everything that a game leaves traces in new.
func (w *worker) reset() {
	w.pos = w.series.Game.New(w.series.Variant)
	for side, spec := range w.series.Players {
		w.players[side] = spec.New()
	}
}

// play plays a game into rec. A panic is a bug in one game; it becomes a
// *PanicError that says which, so that it can be played again.
func (w *worker) play(ctx context.Context, game uint64, rec *engine.Record) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = &PanicError{Game: game, Seed: w.series.Seed, Value: v, Stack: debug.Stack()}
			w.reset() // what the panic left behind may be broken
		}
	}()
	rec.Reset()
	rec.Game, rec.Players = game, w.names
	w.pos.Reset()
	reseed(&w.src, w.series.Seed, game)
	if err := w.decide(ctx, rec); err != nil {
		return err
	}
	rec.Outcome, err = w.outcome(len(rec.Actions))
	if err != nil {
		return fmt.Errorf("play game %d of seed %d: %w", game, w.series.Seed, err)
	}
	return nil
}

// decide lets the players move until the game is over or cut off.
func (w *worker) decide(ctx context.Context, rec *engine.Record) error {
	number, pos, done := w.series.Game.Actions.Number, w.pos, ctx.Done()
	actions, ranks := rec.Actions, rec.Ranks // here, and not in rec, for the cache line of rec's neighbour
	for len(actions) < w.series.MaxPlies {
		select {
		case <-done:
			return context.Cause(ctx)
		default:
		}
		m, rank, ok := w.players[pos.Turn()].Play(pos, &w.src)
		if !ok {
			break
		}
		actions = append(actions, number(pos, m))
		ranks = append(ranks, rank)
	}
	rec.Actions, rec.Ranks = actions, ranks
	return nil
}

// errNoMove is a game that does not keep its contract.
var errNoMove = errors.New("no move was found, but the game is not over")

// outcome returns how the game ended after some plies.
func (w *worker) outcome(plies int) (engine.Outcome, error) {
	switch o := w.pos.Outcome(); {
	case o != engine.Ongoing:
		return o, nil
	case plies < w.series.MaxPlies:
		return o, errNoMove
	}
	return engine.Outcome{Result: engine.NoResult, Reason: engine.PlyLimit}, nil
}

// PanicError is a panic inside a game.
type PanicError struct {
	Game, Seed uint64
	Value      any    // what was panicked with
	Stack      []byte // of the goroutine, where it happened
}

func (e *PanicError) Error() string {
	return fmt.Sprintf("play game %d of seed %d: panic: %v", e.Game, e.Seed, e.Value)
}
