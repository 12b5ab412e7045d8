package rowflags

import (
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/app"
	"selfplay/datasets/rows"
	"selfplay/encode"
)

// Names of the flags of value targets and models of scores.
const (
	deblunderName = "deblunder"
	Model         = "model"
	NewModel      = "new-model" // of scores that the command makes
)

// DeblunderFlags returns the flags of value targets. unless is that of Flags; known is shown as the
// default of --model.
func DeblunderFlags(unless, known string) []cli.Flag {
	return []cli.Flag{deblunderFlag(unless), modelFlag(Model, known, "scores into win chances")}
}

// RescoreFlags returns the flags of value targets where new scores replace old ones. Each kind has a model.
func RescoreFlags() []cli.Flag {
	return []cli.Flag{
		modelFlag(Model, "of the dataset", "old scores into win chances, for --where"),
		deblunderFlag(""),
		modelFlag(NewModel, "", "new scores into win chances, for --deblunder"),
	}
}

func deblunderFlag(unless string) cli.Flag {
	return flagOf(unless)(deblunderName, "", "add the column value_target: the outcome, or, for decisions up to a blunder, the value of the position in which it was made. A blunder loses `POINTS` hundredths of a game or more, by values rounded to 1/10,000; 0 removes the column")
}

// modelFlag returns a flag of a model. The help says what it turns into what, and shows the
// known default.
func modelFlag(name, known, turns string) cli.Flag {
	return &cli.StringFlag{Name: name, Category: app.Rows, DefaultText: known, Usage: "`A,B`: coefficients that turn " + turns + "; export wdl fits them"}
}

// ApplyDeblunder changes the value targets of a shape as the flags say. The flag of the model is
// Model or NewModel; the model of the shape, if it has one, is the default.
func ApplyDeblunder(c *cli.Context, s *rows.Shape, modelName string) error {
	if c.IsSet(modelName) && !c.IsSet(deblunderName) {
		return app.Usage("--%s is for the points of --deblunder, which is missing", modelName)
	}
	model, err := ReadModel(c, modelName, s.WDL)
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
		return app.Usage("deblunder %d: no model of these scores is known: pass --%s A,B, as export wdl prints it", points, modelName)
	}
	s.Deblunder = &encode.Deblunder{Points: points, A: model.A, B: model.B}
	return nil
}

// maxCoefficient bounds the coefficients of a model.
const maxCoefficient = 1 << 20

// ReadModel returns the model of scores that the flag called name gives, or the known one, which may be nil.
func ReadModel(c *cli.Context, name string, known *encode.WDL) (*encode.WDL, error) {
	text := c.String(name)
	if text == "" {
		return known, nil
	}
	first, second, _ := strings.Cut(text, ",")
	a, errA := strconv.Atoi(first)
	b, errB := strconv.Atoi(second)
	if errA != nil || errB != nil || a < 0 || a > maxCoefficient || b < 1 || b > maxCoefficient {
		return nil, app.Usage("%s %q: want two scores A,B, such as 130,364", name, text)
	}
	return &encode.WDL{A: a, B: b}, nil
}
