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

// DeblunderFlags returns the flags of value targets. unless is that of Flags.
func DeblunderFlags(unless string) []cli.Flag {
	return []cli.Flag{
		flagOf(unless)(deblunderName, "", "add the column value_target: the outcome, or, for decisions up to a blunder, the value of the position in which it was made. A blunder loses `POINTS` hundredths of a game or more; 0 removes the column"),
		ModelFlag("of the dataset"),
	}
}

// ModelFlag returns --model, which replaces the model of scores that the help calls known.
func ModelFlag(known string) cli.Flag {
	return &cli.StringFlag{Name: modelName, Category: app.Rows, DefaultText: known, Usage: "`A,B`: coefficients that turn scores into win chances; export wdl fits them"}
}

// ApplyDeblunder changes the value targets of a shape as the flags say.
func ApplyDeblunder(c *cli.Context, s *rows.Shape) error {
	if c.IsSet(modelName) && !c.IsSet(deblunderName) {
		return app.Usage("--model is for the points of --deblunder, which is missing")
	}
	model, err := Model(c, s.WDL)
	if err != nil {
		return err
	}
	return DeblunderBy(c, s, model)
}

// DeblunderBy is ApplyDeblunder with a given model, which may be nil.
func DeblunderBy(c *cli.Context, s *rows.Shape, model *encode.WDL) error {
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
		return app.Usage("deblunder %d: no model of scores is known for these games: pass --model A,B, as export wdl prints it", points)
	}
	s.Deblunder = &encode.Deblunder{Points: points, A: model.A, B: model.B}
	return nil
}

// maxCoefficient bounds the coefficients of --model.
const maxCoefficient = 1 << 20

// Model returns the model of --model, or the one that is known, which may be nil.
func Model(c *cli.Context, known *encode.WDL) (*encode.WDL, error) {
	text := c.String(modelName)
	if text == "" {
		return known, nil
	}
	first, second, _ := strings.Cut(text, ",")
	a, errA := strconv.Atoi(first)
	b, errB := strconv.Atoi(second)
	if errA != nil || errB != nil || a < 0 || a > maxCoefficient || b < 1 || b > maxCoefficient {
		return nil, app.Usage("model %q: want A,B in centi-units, as 130,364", text)
	}
	return &encode.WDL{A: a, B: b}, nil
}
