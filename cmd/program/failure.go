package program

import (
	"errors"
	"fmt"
	"log/slog"
	"strconv"

	"selfplay/datasets"
	"selfplay/datasets/record"
	"selfplay/encode"
	"selfplay/engine"
	"selfplay/workers"
)

// failure is the record of a game that panicked. Seed and game number are enough to replay
// it; the rest says where to look.
type failure struct {
	Game     uint64    `json:"game"`
	Seed     uint64    `json:"seed,string"`
	PlanHash string    `json:"plan_hash"`
	Players  [2]string `json:"players"`
	Start    string    `json:"start"`
	Moves    []string  `json:"moves"` // before the panic
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

// movesOf returns the moves of a record as text. If a move panics, as in the game, or breaks
// the rules, it returns the moves before it.
func movesOf(g encode.Game, variant string, r *engine.Record) (moves []string) {
	moves = []string{}
	defer func() { _ = recover() }()
	pos := g.New(variant)
	_ = g.Replay(pos, r, func(_ int, m engine.Move) { moves = append(moves, pos.FormatMove(m)) })
	return moves
}

// keepPanic stores the failure of a game that panicked in the dataset, and adds to the
// error how to replay it with the given program. It returns other errors unchanged.
func (j *job) keepPanic(log *slog.Logger, err error, program string) error {
	var fault *workers.PanicError
	if !errors.As(err, &fault) {
		return err
	}
	log.Error("panic", "game", fault.Game, "seed", strconv.FormatUint(fault.Seed, 10), "value", fault.Value, "stack", string(fault.Stack))
	f := newFailure(&j.series, fault)
	if ds, err := datasets.Open(j.out); err == nil {
		f.PlanHash = ds.PlanHash()
	}
	details := ""
	if name, keepErr := record.AppendFailure(j.out, f); keepErr != nil {
		log.Error("keep failure", "err", keepErr)
	} else {
		details = " see " + name + ";"
	}
	book := ""
	if len(j.series.Opening.Book) > 0 {
		book = "--book FILE "
	}
	return fmt.Errorf("%w;%s to replay the game run %s replay --game-index %d %s%s",
		err, details, program, fault.Game, book, j.out)
}
