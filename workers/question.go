package workers

import (
	"context"

	"selfplay/encode"
	"selfplay/engine"
)

// Question asks a model about one position, as the side to move sees it, and holds the answer.
type Question struct {
	Planes  []byte   // the layout planes
	Actions []uint16 // the legal actions, flipped if the second side is to move

	Value  int16   // expected result of the side to move in units of 1/search.ModelOne
	Logits []int16 // of Actions, in hundredths

	pos  engine.Position // of a game that waits
	done chan error      // receives nil, or why there is no answer
	left bool            // the game waits no longer; guarded by dispatcher.mu
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

// WrongAnswer says that a model cannot answer a question: its answer is not a number, or has
// the wrong shape. To ask again would give it again.
type WrongAnswer struct {
	Question int // index in the batch; -1 if no single question is at fault
	Reason   string
}

func (e *WrongAnswer) Error() string { return e.Reason }

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
