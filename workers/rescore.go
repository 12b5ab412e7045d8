package workers

import (
	"context"
	"fmt"

	"selfplay/engine"
)

// RecordSource sets r to the record of a game. Rescore calls it with ascending numbers, from
// the goroutine that called Rescore.
type RecordSource func(game uint64, r *engine.Record) error

// Rescore searches decisions of finished games again: those that Series.Rescore chooses, by the
// first player of the series. They get the score, the best move, the policy and the nodes of
// the new search; moves, ranks of moves, players and outcomes stay. A decision that is not
// chosen keeps what it has, and so does one where the player finds the game over.
//
// The player searches the plies of a game in order, with the random source of the game. So a
// record depends on its source and on the series only. In all other respects Rescore is Play.
func (p *Pool) Rescore(ctx context.Context, games []uint64, source RecordSource, journal engine.Journal, sink func(*engine.Record) error) error {
	return p.deliver(ctx, games, source, journal, sink)
}

// rescore searches the game of a record again.
func (w *worker) rescore(rec *engine.Record) error {
	reseed(&w.src, w.series.Seed, rec.Game)
	w.players[engine.First].draw(&w.src)
	w.old, *rec = *rec, w.old // both keep their memory
	if err := w.beginAgain(rec); err != nil {
		return err
	}
	first, err := w.resumeRescore(rec)
	if err != nil {
		return fmt.Errorf("rescore game %d: %w", rec.Game, err)
	}
	policy := 0 // entries of the old policies of earlier plies
	for ply, action := range w.old.Actions {
		m, err := w.series.Game.Actions.Move(w.pos, action)
		if err != nil {
			return fmt.Errorf("rescore game %d: ply %d: %w", rec.Game, ply, err)
		}
		if ply >= first {
			if err := w.rescorePly(rec, ply, policy); err != nil {
				return err
			}
		}
		if len(w.old.PolicySize) > 0 {
			policy += int(w.old.PolicySize[ply])
		}
		w.pos.Do(m)
	}
	return nil
}

// rescorePly searches the position at a ply again, if the ply is chosen. policy is where its old policy begins.
func (w *worker) rescorePly(rec *engine.Record, ply, policy int) error {
	w.seen.Actions = w.old.Actions[:ply]
	if !w.chosen[ply] || !w.searchAgain(rec) {
		w.keepSearch(rec, ply, policy)
	}
	if w.aborted() { // maybe in the search
		return context.Cause(w.ctx)
	}
	if err := w.players[engine.First].err(); w.chosen[ply] && err != nil {
		return fmt.Errorf("rescore game %d: ply %d: %w", rec.Game, ply, err)
	}
	return w.keep(rec)
}

// resumeRescore goes on with a game whose searches the journal has, and returns the first ply without.
func (w *worker) resumeRescore(rec *engine.Record) (first int, err error) {
	u, err := w.kept(rec)
	if u == nil || err != nil {
		return 0, err
	}
	first = len(u.Nodes)
	if err := checkSearched(&u.Record, first); err != nil {
		return 0, err
	}
	outcome := rec.Outcome
	rec.CopyFrom(&u.Record)
	rec.Outcome, w.src = outcome, u.Source
	return first, nil
}

// beginAgain copies what stays of the old record, and chooses the plies to search.
func (w *worker) beginAgain(rec *engine.Record) error {
	old := &w.old
	rec.Reset()
	rec.Game, rec.Start, rec.OpeningPlies = old.Game, old.Start, old.OpeningPlies
	rec.Players, rec.Outcome = old.Players, old.Outcome
	rec.Tags = append(rec.Tags, old.Tags...)
	rec.Actions = append(rec.Actions, old.Actions...)
	rec.MoveRanks = append(rec.MoveRanks, old.MoveRanks...)
	if w.series.KeepOld {
		rec.OldBest = append(rec.OldBest, old.Best...)
		rec.OldScores = append(rec.OldScores, old.Scores...)
		rec.OldNodes = append(rec.OldNodes, old.Nodes...)
	}
	var err error
	if w.turns, err = w.series.Turns(w.pos, old, w.turns); err != nil {
		return err
	}
	w.chosen = w.series.Rescore.Choose(old, w.turns, w.chosen)
	w.seen.Start, w.seen.Actions = old.Start, nil
	if e, ok := w.players[engine.First].current.(External); ok {
		e.Begin(&w.seen)
	}
	return engine.Begin(w.pos, old.Start)
}

// Turns returns the side to move at every ply of a record, which it replays on pos. The result
// reuses the memory of dst.
func (s *Series) Turns(pos engine.Position, r *engine.Record, dst []engine.Side) ([]engine.Side, error) {
	dst = dst[:0]
	err := s.Game.Replay(pos, r, func(int, engine.Move) { dst = append(dst, pos.Turn()) })
	return dst, err
}

// searchAgain lets the player search the position and appends what it found. It returns false if
// the player finds the game over or its search is aborted.
func (w *worker) searchAgain(rec *engine.Record) bool {
	p, d := &w.players[engine.First], &w.decision
	before := w.read(p)
	if !p.current.Play(w.pos, &w.src, d) {
		return false
	}
	w.pos.Undo() // the record says what is played
	if p.clock != nil {
		w.costs[engine.First].add(before, w.read(p), d)
	}
	w.addSearch(rec, d)
	return true
}

// keepSearch appends what the old record says of a ply. policy is where its old policy begins.
func (w *worker) keepSearch(rec *engine.Record, ply, policy int) {
	old := &w.old
	if len(old.Nodes) == 0 {
		rec.Best, rec.Scores, rec.Nodes = append(rec.Best, old.Actions[ply]), append(rec.Scores, 0), append(rec.Nodes, 0)
		rec.PolicySize = append(rec.PolicySize, 0)
		return
	}
	size := int(old.PolicySize[ply])
	rec.Best, rec.Scores = append(rec.Best, old.Best[ply]), append(rec.Scores, old.Scores[ply])
	rec.Nodes, rec.PolicySize = append(rec.Nodes, old.Nodes[ply]), append(rec.PolicySize, old.PolicySize[ply])
	rec.PolicyAction = append(rec.PolicyAction, old.PolicyAction[policy:policy+size]...)
	rec.PolicyWeight = append(rec.PolicyWeight, old.PolicyWeight[policy:policy+size]...)
}
