package workers

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"selfplay/encode"
	"selfplay/engine"
	"selfplay/engine/search"
)

// A player may take values and logits from a model of the user: eval=NAME. The program around this
// package says what the name stands for; the games are a function of the series and of the model.

// Model is a model of the user: programs that give the same answers.
type Model struct {
	Name       string
	Batch      int         // positions that an evaluator takes at once
	Evaluators []Evaluator // at least one
	Game       encode.Game // whose positions it evaluates
}

// Models finds the model of eval=NAME. The error says what is wrong and what to do.
type Models func(name string) (*Model, error)

// Sources find what names of players refer to. A nil function finds nothing.
type Sources struct {
	Networks  Networks
	Models    Models
	Externals Externals
}

// modelVersion is what a model adds to the version of a player. It changes with the units of answers.
const modelVersion = 1

// gamesPerSlot is how many games at once keep the slots of a batch full: half of them wait for a batch
// that is evaluated, while the others fill the next one.
const gamesPerSlot = 2

// GamesAtOnce returns the number of games that keep the batches of the models full, 0 without a model.
func (s *Series) GamesAtOnce() (n int) {
	for _, m := range s.models() {
		n += gamesPerSlot * m.Batch * len(m.Evaluators)
	}
	return n
}

// models returns the models of the players, each once.
func (s *Series) models() (list []*Model) {
	for _, p := range s.Players {
		for _, m := range p.Models() {
			if !slices.Contains(list, m) {
				list = append(list, m)
			}
		}
	}
	return list
}

// Models returns the models of the player, each once.
func (s PlayerSpec) Models() (list []*Model) {
	for _, c := range s.components {
		if m := c.network.outside(); m != nil && !slices.Contains(list, m) {
			list = append(list, m)
		}
	}
	return list
}

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
			if n, err = findModel(g, value, find); err != nil {
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
	if err := checkSearchable(g); err != nil {
		return nil, err
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
	return &asker{model: m, questioner: q}
}

// asker is the model of one searcher: it asks an evaluator, through the dispatcher of a pool if its
// worker belongs to one.
type asker struct {
	model      *Model
	questioner Questioner
	question   *Question
	worker     *worker // nil without a pool
	err        error   // of the last question
}

var _ search.Model = (*asker)(nil)

// Evaluate implements search.Model.
func (a *asker) Evaluate(p engine.Position, moves []engine.Move, logits []int16) (int16, error) {
	if a.question == nil {
		a.question = &Question{done: make(chan error, 1)}
	}
	q := a.question
	a.questioner.Ask(q, p, moves)
	q.pos = p
	if a.err = a.ask(q); a.err != nil {
		a.question = nil // its answer may still arrive
		return 0, a.err
	}
	copy(logits, q.Logits)
	return q.Value, nil
}

// ask waits for the answer to a question.
func (a *asker) ask(q *Question) error {
	if a.worker == nil || a.worker.dispatcher == nil {
		return a.model.Evaluators[0].Evaluate(context.Background(), []*Question{q})
	}
	return a.worker.await(a.model, q)
}
