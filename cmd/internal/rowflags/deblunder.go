package rowflags

import (
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/app"
	"selfplay/datasets/rows"
	"selfplay/encode"
)

// Names of the flags of value targets.
const (
	deblunderName = "deblunder"
	modelName     = "model"
)

// DeblunderFlags returns the flags of value targets. unless is that of Flags; model is shown as the
// default of --model.
func DeblunderFlags(unless, model string) []cli.Flag {
	return []cli.Flag{
		flagOf(unless)(deblunderName, "", "add the column value_target: the outcome, or, for decisions up to a blunder, the value of the position in which it was made. A blunder loses `POINTS` hundredths of a game or more; 0 removes the column"),
		&cli.StringFlag{Name: modelName, Category: app.Rows, DefaultText: model, Usage: "`A,B`: coefficients that turn scores into win chances; export wdl fits them"},
	}
}

// ApplyDeblunder changes the value targets of a shape as the flags say. Its model of scores, if it
// has one, is the default.
func ApplyDeblunder(c *cli.Context, s *rows.Shape) error {
	if c.IsSet(modelName) && !c.IsSet(deblunderName) {
		return app.Usage("--model is for the points of --deblunder, which is missing")
	}
	model, err := Model(c, modelName, s.WDL)
	if err != nil {
		return err
	}
	text := c.String(deblunderName)
	if text == "" {
		return nil
	}
	points, err := strconv.Atoi(text)
	switch {
	case err != nil || points < 0 || points > encode.MaxBlunder:
		return app.Usage("deblunder %q: want 1 to %d points, or 0 for no value targets", text, encode.MaxBlunder)
	case points == 0:
		s.Deblunder = nil
		return nil
	case !s.Searched:
		return app.Usage("deblunder %d: no player searched the games, so their best moves are unknown", points)
	case model == nil:
		return app.Usage("deblunder %d: no model of these scores is known: pass --model A,B, as export wdl prints it", points)
	}
	s.Deblunder = &encode.Deblunder{Points: points, A: model.A, B: model.B}
	return nil
}

// maxCoefficient bounds the coefficients of a model.
const maxCoefficient = 1 << 20

// Model returns the model of scores that the flag called name gives, or the known one, which may be nil.
func Model(c *cli.Context, name string, known *encode.WDL) (*encode.WDL, error) {
	text := c.String(name)
	if text == "" {
		return known, nil
	}
	first, second, _ := strings.Cut(text, ",")
	a, errA := strconv.Atoi(first)
	b, errB := strconv.Atoi(second)
	if errA != nil || errB != nil || a < 0 || a > maxCoefficient || b < 1 || b > maxCoefficient {
		return nil, app.Usage("%s %q: want A,B in centi-units, as 130,364", name, text)
	}
	return &encode.WDL{A: a, B: b}, nil
}
