package program

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"selfplay/datasets/plan"
	"selfplay/datasets/rows"
	"selfplay/encode"
	"selfplay/internal/count"
	"selfplay/internal/typo"
)

// rowFlags returns the flags. The help shows unless as the default of each flag; if it is
// empty, each flag shows a default of its own.
func rowFlags(unless string) []cli.Flag {
	flag := rowFlagMaker(unless)
	return append([]cli.Flag{
		flag("format", plan.Parquet, "file `FORMAT`: parquet or arrow"),
		flag("layout", "compact", "`NAME` of the array that encodes a position: compact or planes"),
		flag("board-type", plan.List, "column `TYPE` of that array: list (of integers) or packed (bytes)"),
		flag("perspective", boardPerspective, "`SIDE` that boards and actions are seen from: board, the same for both sides, or mover, the side to move; planes are always mover"),
		flag("columns", "", "add `COLUMNS` to the default set: +"+strings.Join(encode.ExtraNames(), ", +")+"; separate them by commas"),
	}, filterFlags(unless)...)
}

// rowFlagMaker returns a function that makes a flag.
func rowFlagMaker(unless string) func(name, value, usage string) cli.Flag {
	return func(name, value, usage string) cli.Flag {
		if unless != "" {
			value = unless
		}
		return &cli.StringFlag{Name: name, Category: groupRows, DefaultText: value, Usage: usage}
	}
}

// filterFlags returns the flags of rowFlags that drop rows.
func filterFlags(unless string) []cli.Flag {
	flag := rowFlagMaker(unless)
	return []cli.Flag{
		whereFlag(unless),
		flag("keep", "1", "keep this `FRACTION` of the remaining rows, in whole thousandths"),
		flag("max-rows-per-game", "", "keep at most `N` of the remaining rows of each game, drawn at random; 0 keeps all"),
	}
}

// Values of --perspective.
const (
	boardPerspective = "board"
	moverPerspective = plan.Mover
)

// shapeSetter changes a shape by the text of a flag.
type shapeSetter struct {
	name string
	set  func(s *rows.Shape, text string) error
}

// applyRows changes a shape as the given flags say.
func applyRows(c *cli.Context, s *rows.Shape) error {
	err := applySetters(c, s, []shapeSetter{
		{"format", func(s *rows.Shape, text string) error { s.Format = text; return nil }}, // Plan.Validate checks it
		{"board-type", func(s *rows.Shape, text string) error { s.BoardType = text; return nil }},
		{"layout", setLayout},
		{"perspective", setPerspective},
		{"columns", setColumns},
	})
	if err == nil {
		err = applyFilter(c, s, nil)
	}
	if err != nil {
		return err
	}
	return checkPerspective(c, s)
}

// applyFilter changes the filter of a shape as the given flags say. drops is the model of the word
// drop of --where; plans have none, so it is nil if the filter becomes part of one.
func applyFilter(c *cli.Context, s *rows.Shape, drops *encode.Deblunder) error {
	if c.IsSet(whereName) {
		w, err := parseWhere(c, &s.Game, drops)
		if err != nil {
			return err
		}
		s.Filter.Where = w
	}
	return applySetters(c, s, []shapeSetter{
		{"keep", setKeep},
		{"max-rows-per-game", setMaxRows},
	})
}

func applySetters(c *cli.Context, s *rows.Shape, setters []shapeSetter) error {
	for _, flag := range setters {
		if !c.IsSet(flag.name) {
			continue
		}
		if err := flag.set(s, c.String(flag.name)); err != nil {
			return usagef("%v", err)
		}
	}
	return nil
}

// checkPerspective refuses --perspective board for a layout that cannot show it.
func checkPerspective(c *cli.Context, s *rows.Shape) error {
	if c.IsSet("perspective") && s.SeenByMover() && !s.Mover {
		return usagef("--perspective %s: the layout %s always shows the view of the side to move; leave the flag out or choose %s",
			boardPerspective, s.Layout.Name, moverPerspective)
	}
	return nil
}

func setLayout(s *rows.Shape, name string) (err error) {
	s.Layout, err = s.Game.Layout(name)
	return err
}

// setColumns replaces the extra columns, except for one that the games need.
func setColumns(s *rows.Shape, text string) (err error) {
	needed := slices.Contains(s.Extra, encode.StartPlyColumn)
	if s.Extra, err = encode.ParseExtra(text); needed {
		s.AddStartPly()
	}
	if slices.Contains(s.Extra, encode.StaticColumn) && !s.Game.HasStaticScore() {
		return usagef("column +%s: %s has no static score", encode.StaticColumn, s.Game.Name)
	}
	return err
}

func setPerspective(s *rows.Shape, name string) error {
	if name != boardPerspective && name != moverPerspective {
		return usagef("unknown perspective %q: want %s or %s", name, boardPerspective, moverPerspective)
	}
	s.Mover = name == moverPerspective
	return nil
}

func setKeep(s *rows.Shape, text string) error {
	fraction, err := encode.ParseKeep(text)
	if err != nil {
		return usagef("keep %v", err)
	}
	s.Filter.Keep = fraction
	return nil
}

// maxRowsOfGame bounds --max-rows-per-game; no game has as many rows.
const maxRowsOfGame = 1<<31 - 1

func setMaxRows(s *rows.Shape, text string) error {
	n, err := count.Parse(text)
	if err != nil || n > maxRowsOfGame {
		return usagef("max-rows-per-game %q: want a number, 0 for all", text)
	}
	s.Filter.MaxRows = int(n)
	return nil
}

const whereName = "where"

// whereFlag returns --where: conditions that choose rows.
func whereFlag(unless string) cli.Flag {
	return rowFlagMaker(unless)(whereName, "", "take only rows for which all `CONDITIONS` hold, such as 'reason=fifty,ply>=8,!check'; separate them by commas, and values by |. "+
		"A ! before a condition means that it does not hold, or that its value is unknown. Words: "+
		strings.Join(encode.WhereWords(), ", ")+"; drop counts the last step to the result")
}

// meantCondition suggests a name for an unknown one, or for its first word: commander_captured for comander.
func meantCondition(unknown string, names []string) string {
	all := typo.DidYouMean(unknown, names, "%q")
	if all != "" {
		return all
	}
	for _, name := range names {
		first, _, _ := strings.Cut(name, "_")
		if typo.DidYouMean(unknown, []string{first}, "%q") != "" {
			return fmt.Sprintf(", did you mean %q?", name)
		}
	}
	return ""
}

// parseWhere parses the value of --where, nil if it is not given or has no condition. drops is the
// model of the word drop, or nil.
func parseWhere(c *cli.Context, g *encode.Game, drops *encode.Deblunder) (*encode.Where, error) {
	text := c.String(whereName)
	if text == "" {
		return nil, nil
	}
	w, err := g.ParseWhere(text, drops)
	var wrong *encode.WhereError
	if errors.As(err, &wrong) {
		suggestion := meantCondition(wrong.Word, wrong.Known)
		if suggestion != "" {
			wrong.Msg, wrong.Known = wrong.Msg+suggestion, nil
		}
	}
	if err != nil {
		return nil, usagef("--where: %v", err)
	}
	return w, nil
}

// Names of the flags of value targets and models of scores.
const (
	deblunderName    = "deblunder"
	modelFlagName    = "model"
	newModelFlagName = "new-model" // of scores that the command makes
)

// deblunderFlags returns the flags of value targets. unless is that of rowFlags; known is shown as the
// default of --model.
func deblunderFlags(unless, known string) []cli.Flag {
	return []cli.Flag{deblunderFlag(unless), modelFlag(modelFlagName, known, "scores into win chances")}
}

// rescoreFlags returns the flags of value targets where new scores replace old ones. Each kind has a model.
func rescoreFlags() []cli.Flag {
	return []cli.Flag{
		modelFlag(modelFlagName, "of the dataset", "old scores into win chances, for --where"),
		deblunderFlag(""),
		modelFlag(newModelFlagName, "", "new scores into win chances, for --deblunder"),
	}
}

func deblunderFlag(unless string) cli.Flag {
	return rowFlagMaker(unless)(deblunderName, "", "add the column value_target: the outcome, or, for decisions up to a blunder, the value of the position in which it was made. A blunder loses `POINTS` hundredths of a game or more, by values rounded to 1/10,000; 0 removes the column")
}

// modelFlag returns a flag of a model. The help says what it turns into what, and shows the
// known default.
func modelFlag(name, known, turns string) cli.Flag {
	return &cli.StringFlag{Name: name, Category: groupRows, DefaultText: known, Usage: "`A,B`: coefficients that turn " + turns + "; selfplay wdl fits them"}
}

// applyDeblunder changes the value targets of a shape as the flags say. The flag of the model is
// modelFlagName or newModelFlagName; the model of the shape, if it has one, is the default.
func applyDeblunder(c *cli.Context, s *rows.Shape, modelName string) error {
	if c.IsSet(modelName) && !c.IsSet(deblunderName) {
		return usagef("--%s is for the points of --deblunder, which is missing", modelName)
	}
	model, err := readModel(c, modelName, s.WDL)
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
		return usagef("deblunder %q: want 1 to %d points, or 0 for no value targets", text, encode.MaxBlunder)
	case points == 0:
		s.Deblunder = nil
		return nil
	case !s.Searched:
		return usagef("deblunder %d: no player searched the games, so their best moves are unknown", points)
	case model == nil:
		return usagef("deblunder %d: no model of these scores is known: pass --%s A,B, as selfplay wdl prints it", points, modelName)
	}
	s.Deblunder = &encode.Deblunder{Points: points, A: model.A, B: model.B}
	return nil
}

// maxCoefficient bounds the coefficients of a model.
const maxCoefficient = 1 << 20

// readModel returns the model of scores that the flag called name gives, or the known one, which may be nil.
func readModel(c *cli.Context, name string, known *encode.WDL) (*encode.WDL, error) {
	text := c.String(name)
	if text == "" {
		return known, nil
	}
	first, second, _ := strings.Cut(text, ",")
	a, errA := strconv.Atoi(first)
	b, errB := strconv.Atoi(second)
	if errA != nil || errB != nil || a < 0 || a > maxCoefficient || b < 1 || b > maxCoefficient {
		return nil, usagef("%s %q: want two scores A,B, such as 130,364", name, text)
	}
	return &encode.WDL{A: a, B: b}, nil
}

// rowValues returns the values that the flags complete to.
func rowValues(games encode.Catalog) map[string]flagValues {
	var columns []string
	for _, name := range encode.ExtraNames() {
		columns = append(columns, "+"+name)
	}
	return map[string]flagValues{
		"format":      oneOf(plan.Parquet, plan.Arrow),
		"layout":      layoutValues(games),
		"board-type":  oneOf(plan.List, plan.Packed),
		"perspective": oneOf(boardPerspective, moverPerspective),
		"columns":     anyOf(columns...),
		whereName:     anyOf(encode.WhereWords()...),
		"check":       oneOf(checkFull, checkLight),
	}
}

// layoutValues completes to the layouts of the game on the line, or of all games.
func layoutValues(games encode.Catalog) flagValues {
	return func(_ string, given func(string) string) (names []string) {
		for _, g := range games {
			name := given("game")
			if name != "" && !strings.EqualFold(name, g.Name) {
				continue
			}
			for _, l := range g.Layouts {
				if !slices.Contains(names, l.Name) {
					names = append(names, l.Name)
				}
			}
		}
		return names
	}
}
