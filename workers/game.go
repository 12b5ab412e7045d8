package workers

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime/debug"
	"slices"

	"selfplay/engine"
)

// worker plays one game after the other on memory that it keeps. It belongs to
// one goroutine. The padding keeps what two workers write at every ply on
// different cache lines.
type worker struct {
	_        [128]byte
	series   *Series
	pos      engine.Position
	seats    [2]seat
	opener   opener
	explorer explorer
	arbiter  arbiter
	searched bool // a record has what searches say
	decision Decision
	src      rand.PCG
	_        [128]byte
}

func newWorker(s *Series) *worker {
	w := &worker{series: s}
	w.reset()
	return w
}

// reset makes everything that a game leaves traces in new.
func (w *worker) reset() {
	s := w.series
	w.pos = s.Game.New(s.Variant)
	for side := range s.Players {
		w.seats[side] = newSeat(&s.Players[side])
	}
	w.opener = newOpener(s)
	w.explorer = newExplorer(s)
	w.arbiter = arbiter{Adjudication: &s.Adjudication}
	w.searched = s.Searches()
}

// play plays a game into rec. A panic is a bug in one game; it becomes a
// *PanicError that says which, so that it can be played again.
func (w *worker) play(ctx context.Context, game uint64, rec *engine.Record) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = &PanicError{Game: game, Seed: w.series.Seed, Value: v, Stack: debug.Stack(), Record: soFar(rec)}
			w.reset() // what the panic left behind may be broken
		}
	}()
	if ctx.Err() != nil { // while it waited for a worker
		return context.Cause(ctx)
	}
	reseed(&w.src, w.series.Seed, game)
	rec.Reset()
	rec.Game = game
	for side := range w.seats {
		rec.Players[side] = w.seats[side].draw(&w.src)
	}
	if err := w.opener.begin(w, rec); err != nil {
		return err
	}
	w.explorer.choose(&w.src, len(rec.Actions))
	w.arbiter.begin(&w.src)
	rec.Outcome, err = w.decide(ctx, rec)
	if err != nil {
		return fmt.Errorf("play game %d of seed %d: %w", game, w.series.Seed, err)
	}
	return nil
}

// decide lets the players move until the game is over or cut off.
func (w *worker) decide(ctx context.Context, rec *engine.Record) (engine.Outcome, error) {
	pos, d, done := w.pos, &w.decision, ctx.Done()
	for len(rec.Actions) < w.series.MaxPlies {
		select {
		case <-done:
			return engine.Ongoing, context.Cause(ctx)
		default:
		}
		ply, side := len(rec.Actions), pos.Turn()
		player := w.seats[side].now
		var ok bool
		if w.explorer.due(ply) {
			ok = w.explorer.play(player, pos, &w.src, d)
		} else {
			ok = player.Play(pos, &w.src, d)
		}
		if !ok {
			break
		}
		w.add(rec)
		if o := w.arbiter.judge(ply, side, d); o != engine.Ongoing && pos.Outcome() == engine.Ongoing {
			return o, nil
		}
	}
	return w.outcome(len(rec.Actions))
}

// add appends the last decision to the record. It has been played already.
func (w *worker) add(rec *engine.Record) {
	number, d := w.series.Game.Actions.Number, &w.decision
	action := number(w.pos, d.Move)
	rec.Actions = append(rec.Actions, action)
	rec.MoveRanks = append(rec.MoveRanks, d.Rank)
	if !w.searched {
		return
	}
	best, score, policy := action, int16(0), 0
	if d.Nodes > 0 {
		best, score, policy = number(w.pos, d.Best), d.Score, len(d.Policy)
	}
	rec.Best = append(rec.Best, best)
	rec.Scores = append(rec.Scores, score)
	rec.Nodes = append(rec.Nodes, d.Nodes)
	rec.PolicySize = append(rec.PolicySize, uint16(policy))
	for _, p := range d.Policy[:policy] {
		rec.PolicyAction = append(rec.PolicyAction, number(w.pos, p.Move))
		rec.PolicyWeight = append(rec.PolicyWeight, p.Weight)
	}
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
	Value      any            // what was panicked with
	Stack      []byte         // of the goroutine, where it happened
	Record     *engine.Record // start, players and moves until then
}

// soFar keeps of the record of a game that panicked what tells its story.
func soFar(rec *engine.Record) *engine.Record {
	return &engine.Record{
		Game: rec.Game, Start: rec.Start, Players: rec.Players, OpeningPlies: rec.OpeningPlies,
		Actions: slices.Clone(rec.Actions), MoveRanks: slices.Clone(rec.MoveRanks),
	}
}

func (e *PanicError) Error() string {
	return fmt.Sprintf("play game %d of seed %d: panic: %v", e.Game, e.Seed, e.Value)
}
