// Package ask answers questions about a position: which moves are legal, who is to move, how
// the game ended, and the position as an array where the game defines one. `selfplay moves` and
// the HTTP server share it, so both give the same members.
//
//	answer.go    Responder: questions and answers
//	position.go  Position: a position by its text or its array
//	refusal.go   Refusal: an error as JSON
package ask

import (
	"fmt"
	"slices"
	"strings"

	"selfplay/encode"
	"selfplay/engine"
)

// Question asks for the moves of a position, after playing some moves.
type Question struct {
	Position
	Play []string `json:"play"`
}

// MoveError is a move that could not be played.
type MoveError struct {
	move string
	err  error
}

func (e *MoveError) Error() string { return fmt.Sprintf("play %q: %v", e.move, e.err) }

// Unwrap returns why the move is refused.
func (e *MoveError) Unwrap() error { return e.err }

// Responder answers questions about one game. It reuses its memory, so one goroutine may use it
// at a time.
type Responder struct {
	game   encode.Game
	strict bool
	pos    engine.Position
	moves  []namedMove
	list   []engine.Move
	values []byte
}

// namedMove is a move and its notation.
type namedMove struct {
	move engine.Move
	text string
}

// NewResponder returns a responder for a variant of a game. strict is as in encode.Layout.Text.
func NewResponder(game encode.Game, variant string, strict bool) *Responder {
	return &Responder{game: game, strict: strict, pos: game.New(variant)}
}

// Answer describes the position of q: the members that all games have, then those of the
// game's array.
func (o *Responder) Answer(q *Question) (a encode.Object, err error) {
	if err := o.set(q); err != nil {
		return nil, err
	}
	o.listMoves()
	texts := make([]string, len(o.moves))
	for i, m := range o.moves {
		texts[i] = m.text
	}
	end := o.pos.Outcome()
	a.Add("position", o.pos.String())
	a.Add("side", o.game.Sides[o.pos.Turn()])
	a.Add("moves", texts)
	a.Add("check", o.pos.Check())
	a.Add("result", o.game.Results()[end.Result])
	a.Add("reason", o.game.ReasonName(end.Reason))
	return append(a, o.extra()...), nil
}

// set sets the position of q and plays its moves.
func (o *Responder) set(q *Question) error {
	if err := q.Set(o.pos, &o.game, o.strict); err != nil {
		return err
	}
	for _, text := range q.Play {
		m, err := o.pos.ParseMove(text)
		if err != nil {
			return &MoveError{text, err}
		}
		o.pos.Do(m)
	}
	return nil
}

// listMoves lists the legal moves in the byte order of their notation.
func (o *Responder) listMoves() {
	o.list = o.pos.Moves(o.list[:0])
	o.moves = o.moves[:0]
	for _, m := range o.list {
		o.moves = append(o.moves, namedMove{m, o.pos.FormatMove(m)})
	}
	slices.SortFunc(o.moves, func(a, b namedMove) int { return strings.Compare(a.text, b.text) })
}

// extra returns the members that only some games have.
func (o *Responder) extra() (list []encode.Member) {
	if encode.HasSAN(o.pos) {
		san := make([]string, len(o.moves))
		for i, m := range o.moves {
			san[i] = encode.MoveText(o.pos, m.move)
		}
		list = append(list, encode.Member{Name: "san", Value: san})
	}
	if l := &o.game.Layouts[0]; l.Members != nil {
		o.values = l.Encode(o.values[:0], o.pos)
		list = append(list, l.Members(o.values, o.pos.Turn())...)
	}
	return list
}
