package batching

import (
	"fmt"

	"selfplay/encode"
	"selfplay/engine"
)

// Turn is the part of a question to a player of the user: which move it plays. Question.Actions has the legal
// actions as the game numbers them; they are not flipped.
type Turn struct {
	Start   string // text of the first position, "" for that of the game
	Text    string // of the position
	Side    engine.Side
	History []string // the moves since the start
	Moves   []string // those of Actions
	Seed    uint64   // for random answers: the same whenever the game is played again

	Choice int      // answer: index of the move in Actions
	Scored bool     // the answer has a score
	Score  int16    // from the view of the side to move
	Policy []uint16 // weights of Actions; empty without a policy
}

// Answer returns the answer as a text: equal answers have equal texts.
func (t *Turn) Answer() string {
	return fmt.Sprintf("%s %t %d %d", t.Moves[t.Choice], t.Scored, t.Score, t.Policy)
}

// History keeps the moves of a game as texts.
type History struct {
	Start string   // text of the first position, "" for that of the game
	Moves []string // so far

	game   *encode.Game
	shadow engine.Position // the position after Moves
	rec    *engine.Record
	isNew  bool
}

// NewHistory returns the history of games of a variant.
func NewHistory(g *encode.Game, variant string) *History {
	return &History{game: g, shadow: g.New(variant)}
}

// Begin announces a game. rec holds its start, and grows with its plies.
func (h *History) Begin(rec *engine.Record) { h.rec, h.isNew = rec, true }

// Follow adds the moves of the record that are new.
func (h *History) Follow() error {
	if h.isNew {
		if err := h.begin(); err != nil {
			return err
		}
	}
	for _, action := range h.rec.Actions[len(h.Moves):] {
		m, err := h.game.Actions.Move(h.shadow, action)
		if err != nil {
			return err
		}
		h.Moves = append(h.Moves, h.shadow.FormatMove(m))
		h.shadow.Do(m)
	}
	return nil
}

// begin goes to the start of the game.
func (h *History) begin() error {
	if err := engine.Begin(h.shadow, h.rec.Start); err != nil {
		return err
	}
	h.Start, h.Moves, h.isNew = "", nil, false // the last question may still be on its way
	if h.rec.Start != "" {
		h.Start = h.shadow.String()
	}
	return nil
}

// AskTurn makes q the question which of some legal moves to play in the position after the moves of the history.
func (h *History) AskTurn(q *Question, p engine.Position, moves []engine.Move, seed uint64) error {
	if err := h.Follow(); err != nil {
		return err
	}
	q.pos, q.Actions = p, q.Actions[:0]
	if q.Turn == nil {
		q.Turn = new(Turn)
	}
	t := q.Turn
	t.Start, t.Text, t.Side, t.History, t.Seed, t.Moves = h.Start, p.String(), p.Turn(), h.Moves, seed, t.Moves[:0]
	for _, m := range moves {
		q.Actions = append(q.Actions, h.game.Actions.Number(m))
		t.Moves = append(t.Moves, p.FormatMove(m))
	}
	return nil
}
