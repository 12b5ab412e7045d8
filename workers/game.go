package workers

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime/debug"
	"slices"

	"selfplay/engine"
	"selfplay/internal/goroutine"
)

// worker plays one game after the other and reuses its memory. It belongs to one
// goroutine. The padding keeps the fields of two workers, written at every ply, on
// different cache lines.
type worker struct {
	_           [128]byte
	series      *Series
	valid       bool            // position and players can be used
	ctx         context.Context // of the current game
	pos         engine.Position
	players     [2]sidePlayers // as in the series; see playerOf
	round       uint64         // of the current game; see Series.roundOf
	swapped     engine.Side    // Second if the players have swapped sides in the current game
	opener      opener
	explorer    explorer
	adjudicator adjudicator
	searches    bool // records contain search results
	decision    Decision
	costs       [2]Cost // of the current game, by player
	src         rand.PCG

	// Of a game that a journal keeps while it is played; see journal.go.
	journal engine.Journal  // nil: the game is not kept
	stopped <-chan struct{} // closed when the pool stops
	timer   decisionTimer

	// Of a pool whose players ask a model; see await.go.
	dispatcher *dispatcher     // nil without a model
	done       <-chan struct{} // of ctx
	asked      uint64          // questions so far
	skipped    int64           // nanoseconds that the clock of the series does not count

	// Of a series that rescores games; see rescore.go.
	old    engine.Record
	seen   engine.Record // the plies before the one that is searched, for an External
	turns  []engine.Side
	chosen []bool

	_ [128]byte
}

// newWorker returns a worker that creates position and players for its first game.
func newWorker(s *Series) *worker { return &worker{series: s} }

// reset creates position and players: everything that a panic may leave in an invalid state.
func (w *worker) reset() {
	w.close()
	s := w.series
	w.pos = s.Game.New(s.Variant)
	for i := range s.Players {
		w.players[i] = newSidePlayers(&s.Players[i], s.Clock, w.aborted)
		w.players[i].attach(w)
	}
	w.opener = newOpener(s, w.aborted)
	w.explorer = newExplorer(s)
	w.adjudicator = adjudicator{Adjudication: &s.Adjudication}
	w.searches = s.Searches()
}

// close closes external players.
func (w *worker) close() {
	for i := range w.players {
		for _, p := range w.players[i].players {
			if e, ok := p.(External); ok {
				e.Close()
			}
		}
		w.players[i].players = nil
	}
}

// aborted reports that the context of the current game has ended. That ends searches.
func (w *worker) aborted() bool { return w.ctx.Err() != nil }

// playerOf returns the players of a side in the current game.
func (w *worker) playerOf(side engine.Side) *sidePlayers { return &w.players[side^w.swapped] }

// makeRecord plays the game of a promise into its record, or searches the game of the record again. A
// panic becomes a *PanicError, so that the caller can identify and replay the game.
func (w *worker) makeRecord(pr *promise) (err error) {
	rec := &pr.rec
	defer func() {
		if v := recover(); v != nil {
			err = &PanicError{Game: pr.game, Seed: w.series.Seed, Value: v, Stack: debug.Stack(), Record: partialRecord(rec)}
			w.valid = false
		}
	}()
	w.ctx, w.done, w.journal, w.costs = pr.ctx, pr.ctx.Done(), pr.journal, [2]Cost{}
	if w.aborted() { // while the game waited for a worker
		return context.Cause(w.ctx)
	}
	if w.series.Rescore == nil {
		rec.Reset()
		rec.Game = pr.game
	}
	if !w.valid {
		w.reset()
		w.valid = true
	}
	if w.series.Rescore != nil {
		return w.rescore(rec)
	}
	return w.playGame(rec)
}

// playGame plays the game with the number of rec into it.
func (w *worker) playGame(rec *engine.Record) (err error) {
	w.round, w.swapped = w.series.roundOf(rec.Game)
	reseed(&w.src, w.series.Seed, w.round)
	for side := range rec.Players {
		rec.Players[side] = w.playerOf(engine.Side(side)).draw(&w.src)
	}
	if err := w.opener.begin(w, rec); err != nil {
		return err
	}
	w.beginPlayers(rec)
	w.explorer.choosePlies(&w.src, len(rec.Actions))
	w.adjudicator.begin(&w.src)
	if rec.Outcome, err = w.resume(rec); err == nil && rec.Outcome == engine.Ongoing {
		rec.Outcome, err = w.moveToEnd(rec)
	}
	if err != nil {
		return fmt.Errorf("play game %d of seed %d: %w", rec.Game, w.series.Seed, err)
	}
	return nil
}

// moveToEnd lets the players move until the game is over, adjudicated or at the ply
// limit.
func (w *worker) moveToEnd(rec *engine.Record) (engine.Outcome, error) {
	pos, d, done := w.pos, &w.decision, w.ctx.Done()
	for len(rec.Actions) < w.series.MaxPlies {
		select {
		case <-done:
			return engine.Ongoing, context.Cause(w.ctx)
		default:
		}
		ply, side := len(rec.Actions), pos.Turn()
		if !w.decide(ply, side) {
			break
		}
		w.add(rec)
		if o := w.adjudicator.adjudicate(ply, side, d); o != engine.Ongoing && pos.Outcome() == engine.Ongoing {
			return o, nil
		}
		if err := w.keep(rec); err != nil {
			return engine.Ongoing, err
		}
	}
	return w.outcome(len(rec.Actions))
}

// decide lets the player of side choose and play a move, from which it deviates at an explored
// ply. It returns false if the game is over or the search aborted.
func (w *worker) decide(ply int, side engine.Side) (ok bool) {
	p, d := w.playerOf(side), &w.decision
	before := w.read(p)
	if w.explorer.due(ply) {
		ok = w.explorer.deviate(p.current, w.pos, &w.src, d)
	} else {
		ok = p.current.Play(w.pos, &w.src, d)
	}
	if ok && p.clock != nil {
		w.costs[side^w.swapped].add(before, w.read(p), d)
	}
	return ok
}

// add appends the last decision, which is already played, to the record.
func (w *worker) add(rec *engine.Record) {
	d := &w.decision
	rec.Actions = append(rec.Actions, w.series.Game.Actions.Number(d.Move))
	rec.MoveRanks = append(rec.MoveRanks, d.Rank)
	if !w.searches {
		return
	}
	w.addSearch(rec, d)
}

// addSearch appends what a decision says of its search.
func (w *worker) addSearch(rec *engine.Record, d *Decision) {
	number := w.series.Game.Actions.Number
	best, score, policy := number(d.Move), int16(0), 0
	if d.Nodes > 0 {
		best, score, policy = number(d.Best), d.Score, len(d.Policy)
	}
	rec.Best = append(rec.Best, best)
	rec.Scores = append(rec.Scores, score)
	rec.Nodes = append(rec.Nodes, d.Nodes)
	rec.PolicySize = append(rec.PolicySize, uint16(policy))
	for _, p := range d.Policy[:policy] {
		rec.PolicyAction = append(rec.PolicyAction, number(p.Move))
		rec.PolicyWeight = append(rec.PolicyWeight, p.Weight)
	}
}

// errNoMove is a violation of the Player contract.
var errNoMove = errors.New("the player returned no move, but the game is not over")

// outcome returns the outcome of a game that ended after some plies.
func (w *worker) outcome(plies int) (engine.Outcome, error) {
	switch o := w.pos.Outcome(); {
	case o != engine.Ongoing:
		return o, nil
	case plies < w.series.MaxPlies && w.aborted():
		return o, context.Cause(w.ctx)
	case plies < w.series.MaxPlies:
		return o, w.playerOf(w.pos.Turn()).failure()
	}
	return engine.Outcome{Result: engine.NoResult, Reason: engine.PlyLimit}, nil
}

// PanicError is a panic during a game.
type PanicError struct {
	Game, Seed uint64
	Value      any            // the argument of panic
	Stack      []byte         // of the worker goroutine
	Record     *engine.Record // start, players and moves before the panic
}

// partialRecord copies the parts of a record that reproduce an unfinished game.
func partialRecord(rec *engine.Record) *engine.Record {
	return &engine.Record{
		Game: rec.Game, Start: rec.Start, Players: rec.Players, OpeningPlies: rec.OpeningPlies,
		Actions: slices.Clone(rec.Actions), MoveRanks: slices.Clone(rec.MoveRanks),
	}
}

func (e *PanicError) Error() string {
	return fmt.Sprintf("play game %d of seed %d: panic: %v", e.Game, e.Seed, e.Value)
}

// Unwrap returns the panic without its game: an error of the program.
func (e *PanicError) Unwrap() error { return &goroutine.PanicError{Value: e.Value, Stack: e.Stack} }
