package workers

import (
	"fmt"

	"selfplay/engine"
)

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
		if o, err = w.repeat(&u.Record, ply); err != nil {
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

func (s *sidePlayers) stateless() bool { return s.spec.components[s.component].Stateless }

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
