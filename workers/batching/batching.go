// Package batching asks models of users about positions, in batches. A Model is one or more
// Evaluators that give the same answers. Each game asks one question at a time and waits; a
// Dispatcher collects the questions of all games that are played at once, so that a batch is
// full whenever enough games are.
//
// A batch is sent when it is full. If every live game waits, a batch that is not full is sent
// too, but only to an evaluator that has nothing to do: behind another batch it would wait
// anyway and may still grow. A worker counts as live from the moment it takes a game until it
// finds no other one: a batch does not wait for a worker without a game.
//
// No answer depends on its batch, so no game does.
package batching

import (
	"context"
	"errors"
	"fmt"

	"selfplay/encode"
	"selfplay/engine"
)

// Model is a model of the user: programs that give the same answers.
type Model struct {
	Name       string
	Batch      int         // positions that an evaluator takes at once
	Evaluators []Evaluator // at least one
	Game       encode.Game // whose positions it evaluates
	Variant    string      // of the game, for programs that choose moves
}

// Evaluator answers questions in batches. The answer to a question must depend on the question
// alone: not on its place in the batch, nor on the others.
type Evaluator interface {
	// Evaluate answers the questions of a batch, at most as many as the model takes. Two
	// goroutines may call it at once: while one batch is evaluated the next one is on its way. It
	// keeps no question after it returns. A *WrongAnswer may name the question at fault; after
	// another error the evaluator is of no use any more.
	Evaluate(ctx context.Context, batch []*Question) error
	// CPU returns the CPU time that the evaluator has used so far in nanoseconds, 0 if it is unknown.
	CPU() int64
}

// Question asks a model about one position, as the side to move sees it, and holds the answer. One with a Turn asks a
// player which move it plays: then it has no planes, and the answer is in the Turn.
type Question struct {
	Turn *Turn

	Planes  []byte   // the layout planes
	Actions []uint16 // the legal actions, flipped if the second side is to move

	Value  int16   // expected result of the side to move in units of 1/search.ModelOne
	Logits []int16 // of Actions, in hundredths

	pos  engine.Position // as it is while the game waits
	done chan error      // receives nil, or why there is no answer; nil before the first Ask
	left bool            // the game waits no longer; guarded by Dispatcher.mu
}

// Questioner writes positions of a game as questions.
type Questioner struct {
	layout *encode.Layout
	game   *encode.Game
}

// NewQuestioner returns the questioner of a game. The game must have the layout planes.
func NewQuestioner(g *encode.Game) (q Questioner, err error) {
	q.game = g
	q.layout, err = g.Layout(encode.PlanesName)
	return q, err
}

// Ask makes q the question about a position and some of its legal moves.
func (w *Questioner) Ask(q *Question, p engine.Position, moves []engine.Move) {
	q.pos = p
	q.Planes = w.layout.Encode(q.Planes[:0], p)
	q.Actions = q.Actions[:0]
	a := &w.game.Actions
	if p.Turn() == engine.First {
		for _, m := range moves {
			q.Actions = append(q.Actions, a.Number(m))
		}
		return
	}
	for _, m := range moves {
		q.Actions = append(q.Actions, a.Flip(a.Number(m)))
	}
}

// WrongAnswer says that a model cannot answer a question: its answer is not a number, or has
// the wrong shape. To ask again would give it again.
type WrongAnswer struct {
	Question int // index in the batch; -1 if no single question is at fault
	Reason   string
}

func (e *WrongAnswer) Error() string { return e.Reason }

// ModelError says that a model or an engine of the user gives no answers any more. A run that it ends can be resumed.
type ModelError struct{ Err error }

func (e *ModelError) Error() string { return e.Err.Error() }

func (e *ModelError) Unwrap() error { return e.Err }

// FailureOf returns the failure of a model in place of the error of a game that follows from it.
func FailureOf(err error) error {
	var failure *ModelError
	if errors.As(err, &failure) {
		return failure
	}
	return err
}

// explainAnswer names the position at fault, if there is one. The games of the batch wait, so their positions rest.
func explainAnswer(err error, batch []*Question) error {
	var wrong *WrongAnswer
	if errors.As(err, &wrong) && wrong.Question >= 0 {
		q := batch[wrong.Question]
		if !q.left {
			return &ModelError{fmt.Errorf("position %q: %w", q.pos, err)}
		}
	}
	return &ModelError{err}
}
