package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/app"
	"selfplay/encode"
	"selfplay/engine"
)

func movesCommand() *cli.Command {
	return &cli.Command{
		Name:  "moves",
		Usage: "list the legal moves of a position as JSON",
		Flags: append(append(gameFlags(), positionFlags()...),
			&cli.StringSliceFlag{Name: "play", Usage: "play `MOVE` before; may be repeated"},
			&cli.BoolFlag{Name: "batch", Usage: `read positions from stdin, one a line: a text, or {"position":"...","play":["..."]}, or the same with board_array and side`},
		),
		Action: func(c *cli.Context) error {
			if err := app.NoArgs(c); err != nil {
				return err
			}
			if !c.Bool("batch") {
				return answerOne(c)
			}
			for _, flag := range []string{"position", "play"} {
				if c.IsSet(flag) {
					return app.Usage("flags --batch and --%s exclude each other", flag)
				}
			}
			return answerBatch(c)
		},
	}
}

// question asks about a position after some moves.
type question struct {
	place
	Play []string `json:"play"`
}

// moveError is a move that could not be played.
type moveError struct {
	move string
	err  error
}

func (e *moveError) Error() string { return fmt.Sprintf("play %q: %v", e.move, e.err) }

func (e *moveError) Unwrap() error { return e.err }

func answerOne(c *cli.Context) error {
	game, variant, err := chosenGame(c)
	if err != nil {
		return err
	}
	var q question
	if q.place, err = parsePosition(c.String("position")); err != nil {
		return app.Usage("%v", err)
	}
	q.Play = c.StringSlice("play")
	a, err := newOracle(game, variant, c.Bool("strict")).answer(&q)
	if err != nil {
		return app.Usage("%v", err)
	}
	return encode.NewJSON(c.App.Writer).Encode(a)
}

// oracle answers questions about one game, on memory that it keeps.
type oracle struct {
	game   encode.Game
	strict bool
	pos    engine.Position
	moves  []written
	list   []engine.Move
	values []byte
}

// written is a move and its wire form.
type written struct {
	move engine.Move
	text string
}

func newOracle(game encode.Game, variant string, strict bool) *oracle {
	return &oracle{game: game, strict: strict, pos: game.New(variant)}
}

// answer describes the position that q asks for: the members that every game has,
// then those of its array.
func (o *oracle) answer(q *question) (a encode.Object, err error) {
	if err := q.set(o.pos, &o.game, o.strict); err != nil {
		return nil, err
	}
	for _, text := range q.Play {
		m, err := o.pos.ParseMove(text)
		if err != nil {
			return nil, &moveError{text, err}
		}
		o.pos.Do(m)
	}
	o.listMoves()
	texts := make([]string, len(o.moves))
	for i, w := range o.moves {
		texts[i] = w.text
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

// listMoves lists the legal moves, sorted by the bytes of their wire forms.
func (o *oracle) listMoves() {
	o.list = o.pos.Moves(o.list[:0])
	o.moves = o.moves[:0]
	for _, m := range o.list {
		o.moves = append(o.moves, written{m, o.pos.FormatMove(m)})
	}
	slices.SortFunc(o.moves, func(a, b written) int { return strings.Compare(a.text, b.text) })
}

// extra returns the members that only some games have.
func (o *oracle) extra() (list []encode.Member) {
	if p, ok := o.pos.(engine.Algebraic); ok {
		san := make([]string, len(o.moves))
		for i, w := range o.moves {
			san[i] = p.SAN(w.move)
		}
		list = append(list, encode.Member{Name: "san", Value: san})
	}
	if l := &o.game.Layouts[0]; l.Members != nil {
		o.values = l.Encode(o.values[:0], o.pos)
		list = append(list, l.Members(o.values, o.pos.Turn())...)
	}
	return list
}
