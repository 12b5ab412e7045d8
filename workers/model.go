package workers

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"selfplay/encode"
	"selfplay/engine"
	"selfplay/engine/search"
	"selfplay/workers/batching"
)

// A player may take values and logits from a model of the user: eval=NAME. The program around this
// package says what the name stands for; the games are a function of the series and of the model.

// What models are asked and how is in package batching; programs that have a model find its names here.
type (
	Model       = batching.Model
	ModelCounts = batching.Counts
	ModelError  = batching.ModelError
	Evaluator   = batching.Evaluator
	Question    = batching.Question
	Questioner  = batching.Questioner
	WrongAnswer = batching.WrongAnswer
	Turn        = batching.Turn
	History     = batching.History
)

// NewQuestioner returns the questioner of a game. The game must have the layout planes.
func NewQuestioner(g *encode.Game) (Questioner, error) { return batching.NewQuestioner(g) }

// NewHistory returns the history of games of a variant.
func NewHistory(g *encode.Game, variant string) *History { return batching.NewHistory(g, variant) }

// Models finds the model of eval=NAME. The error says what is wrong and what to do.
type Models func(name string) (*Model, error)

// Sources find what names of players refer to. A nil function finds nothing.
type Sources struct {
	Networks  Networks
	Models    Models
	Own       Models // programs that choose moves
	Externals Externals
}

// modelVersion is what a model adds to the version of a player. It changes with the units of answers.
const modelVersion = 1

// modelParam describes the parameter for help.
func modelParam() Param {
	return Param{Name: "eval", Usage: "NAME", Doc: "values and logits from a model of yours, which --evaluator NAME=... starts or connects to"}
}

// takeModel removes the parameter of a model from texts. It returns nil if there is none.
func takeModel(g *engine.Game, texts []string, find Models) (rest []string, n *Network, err error) {
	for _, text := range texts {
		name, value, _ := strings.Cut(text, "=")
		switch {
		case name != "eval":
			rest = append(rest, text)
		case n != nil:
			return nil, nil, errors.New("eval is given twice")
		default:
			n, err = findModel(g, value, find)
			if err != nil {
				return nil, nil, err
			}
		}
	}
	return rest, n, nil
}

func findModel(g *engine.Game, name string, find Models) (*Network, error) {
	if !isWord(name) {
		return nil, fmt.Errorf("eval %q: want a name of lower-case letters, digits and _", name)
	}
	if find == nil {
		return nil, fmt.Errorf("eval %s: no models here: only commands that take --evaluator ask them", name)
	}
	m, err := find(name)
	if err != nil {
		return nil, fmt.Errorf("eval %s: %w", name, err)
	}
	if _, err := NewQuestioner(&m.Game); err != nil {
		return nil, fmt.Errorf("eval %s: %w", name, err)
	}
	return &Network{model: m}, nil
}

// outside returns the model of the user, nil if there is none.
func (n *Network) outside() *Model {
	if n == nil {
		return nil
	}
	return n.model
}

// newModel returns the model of one searcher, nil without one.
func (n *Network) newModel() *asker {
	m := n.outside()
	if m == nil {
		return nil
	}
	q, err := NewQuestioner(&m.Game)
	if err != nil {
		panic("workers: " + err.Error()) // findModel checked it
	}
	return &asker{model: m, questioner: q, ask: askAlone}
}

// asker is the model of one searcher.
type asker struct {
	model      *Model
	questioner Questioner
	question   *Question
	ask        func(m *Model, q *Question) error // that of a worker asks through the dispatcher of its pool
	err        error                             // of the last question
}

var _ search.Model = (*asker)(nil)

// Evaluate implements search.Model.
func (a *asker) Evaluate(p engine.Position, moves []engine.Move, logits []int16) (int16, error) {
	if a.question == nil {
		a.question = new(Question)
	}
	q := a.question
	a.questioner.Ask(q, p, moves)
	a.err = a.ask(a.model, q)
	if a.err != nil {
		a.question = nil // its answer may still arrive
		return 0, a.err
	}
	copy(logits, q.Logits)
	return q.Value, nil
}

// askAlone asks a model one question.
func askAlone(m *Model, q *Question) error {
	return m.Evaluators[0].Evaluate(context.Background(), []*Question{q})
}
