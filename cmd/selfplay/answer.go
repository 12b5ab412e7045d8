package main

import (
	"fmt"
	"slices"
	"strings"

	"selfplay/encode"
	"selfplay/engine"
)

// question asks for the moves of a position, after playing some moves.
type question struct {
	positionInput
	Play []string `json:"play"`
}

// moveError is a move that could not be played.
type moveError struct {
	move string
	err  error
}

func (e *moveError) Error() string { return fmt.Sprintf("play %q: %v", e.move, e.err) }

func (e *moveError) Unwrap() error { return e.err }

// responder answers questions about one game. It reuses its memory.
type responder struct {
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

func newResponder(game encode.Game, variant string, strict bool) *responder {
	return &responder{game: game, strict: strict, pos: game.New(variant)}
}

// answer describes the position of q: the members that all games have, then those of the
// game's array.
func (o *responder) answer(q *question) (a encode.Object, err error) {
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
	a.Add("reason", end.Reason.String())
	return append(a, o.extra()...), nil
}

// set sets the position of q and plays its moves.
func (o *responder) set(q *question) error {
	if err := q.set(o.pos, &o.game, o.strict); err != nil {
		return err
	}
	for _, text := range q.Play {
		m, err := o.pos.ParseMove(text)
		if err != nil {
			return &moveError{text, err}
		}
		o.pos.Do(m)
	}
	return nil
}

// listMoves lists the legal moves in the byte order of their notation.
func (o *responder) listMoves() {
	o.list = o.pos.Moves(o.list[:0])
	o.moves = o.moves[:0]
	for _, m := range o.list {
		o.moves = append(o.moves, namedMove{m, o.pos.FormatMove(m)})
	}
	slices.SortFunc(o.moves, func(a, b namedMove) int { return strings.Compare(a.text, b.text) })
}

// extra returns the members that only some games have.
func (o *responder) extra() (list []encode.Member) {
	if p, ok := o.pos.(engine.Algebraic); ok {
		san := make([]string, len(o.moves))
		for i, m := range o.moves {
			san[i] = p.SAN(m.move)
		}
		list = append(list, encode.Member{Name: "san", Value: san})
	}
	if l := &o.game.Layouts[0]; l.Members != nil {
		o.values = l.Encode(o.values[:0], o.pos)
		list = append(list, l.Members(o.values, o.pos.Turn())...)
	}
	return list
}
