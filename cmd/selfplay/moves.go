package main

import (
	"fmt"
	"slices"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/program"
	"selfplay/encode"
	"selfplay/engine"
)

func movesCommand() *cli.Command {
	return &cli.Command{
		Name:  "moves",
		Usage: "list the legal moves of a position as JSON",
		Flags: append(gameFlags(),
			positionFlag(),
			&cli.StringSliceFlag{Name: "play", Usage: "play `MOVE` before; may be repeated"},
			&cli.BoolFlag{Name: "batch", Usage: `read positions from stdin, one a line: a text, or {"position":"...","play":["..."]}`},
		),
		Action: func(c *cli.Context) error {
			if err := program.NoArgs(c); err != nil {
				return err
			}
			if !c.Bool("batch") {
				return answerOne(c)
			}
			for _, flag := range []string{"position", "play"} {
				if c.IsSet(flag) {
					return program.Usage("flags --batch and --%s exclude each other", flag)
				}
			}
			return answerBatch(c)
		},
	}
}

// question asks about a position after some moves.
type question struct {
	Position string   `json:"position"`
	Play     []string `json:"play"`
}

// answer describes a position.
type answer struct {
	Position string   `json:"position"`
	Side     string   `json:"side"`
	Moves    []string `json:"moves"` // sorted by bytes
	Check    bool     `json:"check"`
	Result   string   `json:"result"`
	Reason   string   `json:"reason"`
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
	a, err := newOracle(game, variant).answer(question{c.String("position"), c.StringSlice("play")})
	if err != nil {
		return program.Usage("%v", err)
	}
	return program.JSON(c.App.Writer).Encode(a)
}

// oracle answers questions about one game, on memory that it keeps.
type oracle struct {
	game  encode.Game
	pos   engine.Position
	moves []engine.Move
	texts []string
}

func newOracle(game encode.Game, variant string) *oracle {
	return &oracle{game: game, pos: game.New(variant), texts: []string{}}
}

// answer answers q. Its moves are good until the next question.
func (o *oracle) answer(q question) (answer, error) {
	if err := setPosition(o.pos, q.Position); err != nil {
		return answer{}, err
	}
	for _, text := range q.Play {
		m, err := o.pos.ParseMove(text)
		if err != nil {
			return answer{}, &moveError{text, err}
		}
		o.pos.Do(m)
	}
	o.moves = o.pos.Moves(o.moves[:0])
	o.texts = o.texts[:0]
	for _, m := range o.moves {
		o.texts = append(o.texts, o.pos.FormatMove(m))
	}
	slices.Sort(o.texts)
	end := o.pos.Outcome()
	return answer{
		Position: o.pos.String(),
		Side:     o.game.Sides[o.pos.Turn()],
		Moves:    o.texts,
		Check:    o.pos.Check(),
		Result:   resultNames(&o.game.Game)[end.Result],
		Reason:   end.Reason.String(),
	}, nil
}

// resultNames returns the names of the results in a game, by number.
func resultNames(g *engine.Game) []string {
	return []string{
		engine.NoResult:   "",
		engine.FirstWins:  g.Sides[engine.First],
		engine.SecondWins: g.Sides[engine.Second],
		engine.Draw:       "draw",
	}
}
