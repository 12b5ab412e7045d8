package program

import (
	"errors"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/app"
	"selfplay/cmd/internal/ask"
	"selfplay/encode"
)

func movesCommand(games encode.Catalog) *cli.Command {
	return &cli.Command{
		Name:      "moves",
		Usage:     "print the legal moves of a position as JSON, with side to move, check and result",
		UsageText: "--game NAME [flags]",
		Description: `With --batch each line of stdin is a position, as text or as {"position":"...","play":["..."]}, or
as {"board_array":[...],"side":"..."}. Each gets one line of JSON: an answer, or an error with its kind.

Examples:
selfplay moves --game chess --play e2e4 --play e7e5
selfplay moves --game cotulenh --batch < positions.txt
`,
		Flags: slices.Concat(gameFlags(games), positionFlags(), []cli.Flag{
			engineFlag(games),
			&cli.StringSliceFlag{Name: "play", Category: app.Game, Usage: "play `MOVE` first; repeat the flag for more moves"},
			&cli.BoolFlag{Name: "batch", Category: app.Game, Usage: "read positions from stdin, one per line"},
		}),
		Action: runMoves,
	}
}

func runMoves(c *cli.Context) error {
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
}

// answerOne answers for the position of the flags.
func answerOne(c *cli.Context) error {
	game, variant, err := gameFrom(c)
	if err != nil {
		return err
	}
	var q ask.Question
	if q.Position, err = ask.ParsePosition(c.String("position")); err != nil {
		return app.Usage("%v", err)
	}
	q.Play = c.StringSlice("play")
	a, err := ask.NewResponder(game, variant, c.Bool("strict")).Answer(&q)
	if err != nil {
		return app.Usage("%v%s", err, separator(err, q.Play))
	}
	return encode.NewJSON(c.App.Writer).Encode(a)
}

// separator says how to give several moves if an error may be about two in one --play.
func separator(err error, play []string) string {
	joined := slices.ContainsFunc(play, func(text string) bool { return strings.ContainsAny(text, " ,;") })
	if refused := new(ask.MoveError); !joined || !errors.As(err, &refused) {
		return ""
	}
	return "; a --play is one move: repeat the flag for more, such as --play e2e4 --play e7e5"
}
