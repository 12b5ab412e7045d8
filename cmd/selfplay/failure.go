package main

import (
	"errors"
	"fmt"
	"log/slog"

	"selfplay/datasets"
	"selfplay/encode"
	"selfplay/engine"
	"selfplay/workers"
)

// failure is what is kept of a game that panicked. The seed and the number of the
// game are enough to play it again; the rest tells where to look.
type failure struct {
	Game     uint64    `json:"game"`
	Seed     uint64    `json:"seed"`
	PlanHash string    `json:"plan_hash"`
	Players  [2]string `json:"players"`
	Start    string    `json:"start"`
	Moves    []string  `json:"moves"` // until then
	Actions  []uint16  `json:"actions"`
	Panic    string    `json:"panic"`
	Stack    string    `json:"stack"`
}

func newFailure(s *workers.Series, fault *workers.PanicError) failure {
	f := failure{
		Game: fault.Game, Seed: fault.Seed, Panic: fmt.Sprint(fault.Value), Stack: string(fault.Stack), Moves: []string{}, Actions: []uint16{},
	}
	if r := fault.Record; r != nil {
		f.Players, f.Start, f.Actions, f.Moves = r.Players, r.Start, append(f.Actions, r.Actions...), movesOf(s.Game, s.Variant, r)
	}
	return f
}

// movesOf writes the moves of a record, as far as they can be played: what made the
// game panic may do so here.
func movesOf(g encode.Game, variant string, r *engine.Record) (moves []string) {
	moves = []string{}
	defer func() { recover() }()
	pos := g.New(variant)
	g.Replay(pos, r, func(_ int, m engine.Move) { moves = append(moves, pos.FormatMove(m)) })
	return moves
}

// keepPanic writes down in which game the run panicked, if that is why it ended, and
// says how to see it again.
func (j *job) keepPanic(log *slog.Logger, err error) error {
	var fault *workers.PanicError
	if !errors.As(err, &fault) {
		return err
	}
	log.Error("panic", "game", fault.Game, "seed", fault.Seed, "value", fault.Value, "stack", string(fault.Stack))
	f := newFailure(&j.series, fault)
	if ds, err := datasets.Open(j.out); err == nil {
		f.PlanHash = ds.PlanHash()
	}
	more, book := "", ""
	if name, bad := datasets.AppendFailure(j.out, f); bad != nil {
		log.Error("keep failure", "err", bad)
	} else {
		more = name + " tells more, and "
	}
	if len(j.series.Opening.Book) > 0 {
		book = "--book FILE "
	}
	return fmt.Errorf("%w; %sselfplay replay --game-index %d %s%s plays it again",
		err, more, fault.Game, book, j.out)
}
