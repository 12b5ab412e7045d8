package workers

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"slices"
	"sync/atomic"

	"selfplay/engine"
	"selfplay/engine/search"
	"selfplay/internal/goroutine"
	"selfplay/workers/batching"
)

// worker plays one game after the other and reuses its memory. It belongs to one
// goroutine. The padding keeps the fields of two workers, written at every ply, on
// different cache lines.
type worker struct {
	_           [128]byte
	series      *Series
	valid       bool            // position and players can be used
	plies       *atomic.Uint64  // of the pool
	counted     uint64          // plies of the current game that plies has
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

	// Of a game that a journal keeps while it is played.
	journal engine.Journal  // nil: the game is not kept
	stopped <-chan struct{} // closed when the pool stops
	timer   decisionTimer

	// Of a pool whose players ask a model; see await.
	dispatcher *batching.Dispatcher // nil without a model
	asked      uint64               // questions so far
	skipped    int64                // nanoseconds that the clock of the series does not count

	// Of a series that rescores games; see rescore.go.
	old    engine.Record
	seen   engine.Record // the plies before the one that is searched, for a beginner
	turns  []engine.Side
	chosen []bool

	_ [128]byte
}

// job is a requested game and later its record. A call of Play owns it, except between
// sending it to jobs and receiving it from done, when a worker owns it.
type job struct {
	ctx     context.Context
	index   int // in the call
	game    uint64
	journal engine.Journal // nil for none
	rec     engine.Record
	costs   [2]Cost // by player
	err     error
	done    chan<- *job // buffered for all jobs of a call: a worker never blocks on it
}

// ErrStopped is the error of a Play that did not get all its games because of Stop.
var ErrStopped = errors.New("the pool is stopped: no more games are played")

// newWorker returns a worker that creates position and players for its first game.
func newWorker(s *Series) *worker { return &worker{series: s, plies: new(atomic.Uint64)} }

// slowSearch is the number of nodes from which on a decision counts before its game ends. Faster ones are too many
// to count one by one, and their games end soon.
const slowSearch = 64

// count counts a decision that took long, so that progress does not wait for the end of a long game.
func (w *worker) count(d *Decision) {
	if d.Nodes >= slowSearch {
		w.plies.Add(1)
		w.counted++
	}
}

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

// sidePlayers are the players of one side of a worker.
type sidePlayers struct {
	spec      *PlayerSpec
	players   []Player // one per component of spec
	current   Player   // of the current game
	component int      // of spec: that of current

	clock func() int64 // of decisions; nil if they are not measured
}

// newSidePlayers creates the players of spec. clock is that of the series; abort ends searches.
func newSidePlayers(spec *PlayerSpec, clock func() int64, abort search.Abort) sidePlayers {
	s := sidePlayers{spec: spec, clock: clock, players: spec.NewPlayers(abort)}
	s.current = s.players[0]
	if e, ok := s.current.(External); ok && clock != nil {
		s.clock = e.CPU
	}
	return s
}

// attach makes the models of the players ask through the worker.
func (s *sidePlayers) attach(w *worker) {
	for _, p := range s.players {
		switch p := p.(type) {
		case *searchPlayer:
			if p.asker != nil && w.dispatcher != nil {
				p.asker.ask = w.await
			}
		case *ownPlayer:
			p.seed = w.series.Seed
			if w.dispatcher != nil {
				p.ask = w.await
			}
		}
	}
}

// draw selects the player of the next game and returns its name. It draws from src only
// for a mixture.
func (s *sidePlayers) draw(src *rand.PCG) string {
	s.component = s.spec.Draw(src)
	s.current = s.players[s.component]
	return s.spec.components[s.component].name
}

func (s *sidePlayers) stateless() bool { return s.spec.components[s.component].Stateless }

// beginPlayers announces a game to players that keep something of it.
func (w *worker) beginPlayers(rec *engine.Record) {
	for i := range w.players {
		if e, ok := w.players[i].current.(beginner); ok {
			e.Begin(rec)
		}
		if p, ok := w.players[i].current.(*searchPlayer); ok {
			p.NewGame()
		}
	}
}

// failure returns why the player returned no move although the game is not over: an External or a
// search by a model may have failed.
func (s *sidePlayers) failure() error {
	if err := s.err(); err != nil {
		return err
	}
	return errNoMove
}

// err returns why the last Play of a player failed, nil if it did not.
func (s *sidePlayers) err() error {
	if f, ok := s.current.(interface{ Err() error }); ok {
		return f.Err()
	}
	return nil
}

// makeRecord plays the game of a job into its record, or searches the game of the record again. A
// panic becomes a *PanicError, so that the caller can identify and replay the game.
func (w *worker) makeRecord(j *job) (err error) {
	rec := &j.rec
	defer func() {
		if v := recover(); v != nil {
			err = &PanicError{Game: j.game, Seed: w.series.Seed, Value: v, Stack: debug.Stack(), Record: partialRecord(rec)}
			w.valid = false
		}
	}()
	w.ctx, w.journal, w.costs, w.counted = j.ctx, j.journal, [2]Cost{}, 0
	if w.aborted() { // while the game waited for a worker
		return context.Cause(w.ctx)
	}
	if w.series.Rescore == nil {
		rec.Reset()
		rec.Game = j.game
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
	rec.Outcome, err = w.resume(rec)
	if err == nil && rec.Outcome == engine.Ongoing {
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
		if side > engine.Second {
			return engine.Ongoing, fmt.Errorf("side to move %d at ply %d, %q: the rules have a fault, since a game has sides 0 and 1", side, ply, pos)
		}
		if !w.decide(ply, side) {
			break
		}
		w.add(rec)
		w.count(d)
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

// A journal keeps the decisions of games under way whose players think long, so that a stop or a kill costs
// at most the search that was going on. What is kept is the record so far and the random source: all that a
// game of players without state depends on.

// kept returns what the journal has of the game of rec, which begins; nil if it has nothing or does not keep
// such games.
func (w *worker) kept(rec *engine.Record) (*engine.Unfinished, error) {
	if !w.keeps() {
		w.journal = nil
		return nil, nil
	}
	w.timer.start()
	return w.journal.Resume(rec)
}

// resume goes on with a game of which the journal has more than the opening in rec. The outcome is
// Ongoing, unless the game was adjudicated at the last ply kept.
func (w *worker) resume(rec *engine.Record) (o engine.Outcome, err error) {
	u, err := w.kept(rec)
	if u == nil || err != nil {
		return engine.Ongoing, err
	}
	if err := checkSearched(&u.Record, len(u.Actions)); err != nil {
		return engine.Ongoing, err
	}
	for ply := len(rec.Actions); ply < len(u.Actions); ply++ {
		o, err = w.repeat(&u.Record, ply)
		if err != nil {
			return engine.Ongoing, err
		}
	}
	rec.CopyFrom(&u.Record)
	w.src = u.Source
	return o, nil
}

// keeps reports whether the journal keeps the current game while it is played.
func (w *worker) keeps() bool {
	return w.journal != nil && w.searches && w.players[engine.First].stateless() && w.players[engine.Second].stateless()
}

// repeat plays a ply of a kept game.
func (w *worker) repeat(kept *engine.Record, ply int) (engine.Outcome, error) {
	side := w.pos.Turn()
	m, err := w.series.Game.Actions.Move(w.pos, kept.Actions[ply])
	if err != nil {
		return engine.Ongoing, fmt.Errorf("ply %d of the journal: %w", ply, err)
	}
	w.explorer.due(ply)
	w.pos.Do(m)
	w.decision.Score, w.decision.Nodes = kept.Scores[ply], kept.Nodes[ply]
	o := w.adjudicator.adjudicate(ply, side, &w.decision)
	if w.pos.Outcome() != engine.Ongoing {
		o = engine.Ongoing
	}
	return o, nil
}

// checkSearched returns an error if a record lacks searches of a number of plies.
func checkSearched(r *engine.Record, plies int) error {
	size := 0
	for _, n := range r.PolicySize {
		size += int(n)
	}
	ok := len(r.MoveRanks) == len(r.Actions) && len(r.PolicyAction) == size && len(r.PolicyWeight) == size
	for _, n := range []int{len(r.Best), len(r.Scores), len(r.Nodes), len(r.PolicySize)} {
		ok = ok && n == plies
	}
	if !ok {
		return fmt.Errorf("the journal has searches of another number of plies than %d", plies)
	}
	return nil
}

// keep keeps the game in the journal after a slow decision. It returns ErrStopped if the pool has been
// stopped: the rest of the game is for another run.
func (w *worker) keep(rec *engine.Record) error {
	if w.journal == nil || !w.timer.isSlow() {
		return nil
	}
	if err := w.journal.Keep(rec, &w.src); err != nil {
		return err
	}
	select {
	case <-w.stopped:
		return ErrStopped
	default:
		return nil
	}
}

// read reads the meters of a player. Without a clock they stay 0.
func (w *worker) read(p *sidePlayers) Cost {
	if p.clock == nil {
		return Cost{}
	}
	return Cost{CPU: p.clock() + w.skipped, Asked: w.asked}
}

// await asks a model and waits for the answer. A game that waits holds no thread of the operating system,
// and no CPU time is counted for it.
func (w *worker) await(m *Model, q *Question) error {
	if err := w.dispatcher.Ask(m, q); err != nil {
		return err
	}
	resume := w.suspend()
	err := w.dispatcher.Await(w.ctx, q)
	resume()
	w.asked++
	return err
}

// suspend stops the clock of the series and releases the thread until the caller calls resume.
func (w *worker) suspend() (resume func()) {
	clock := w.series.Clock
	if clock == nil {
		return func() {}
	}
	stopped := clock()
	runtime.UnlockOSThread()
	return func() {
		runtime.LockOSThread()
		w.skipped += stopped - clock() // of another thread, maybe
	}
}
