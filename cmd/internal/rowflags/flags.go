// Package rowflags defines the flags that say how games become rows and rows become
// files. Commands that make datasets share it.
package rowflags

import (
	"os"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/app"
	"selfplay/datasets"
	"selfplay/datasets/rows"
	"selfplay/encode"
)

// Flags returns the flags. The help shows unless as the default of each flag; if it is
// empty, each flag shows a default of its own.
func Flags(unless string) []cli.Flag {
	flag := func(name, value, usage string) cli.Flag {
		if unless != "" {
			value = unless
		}
		return &cli.StringFlag{Name: name, DefaultText: value, Usage: usage}
	}
	return []cli.Flag{
		flag("format", datasets.Parquet, "file format: parquet or arrow"),
		flag("layout", "compact", "`NAME` of the array that encodes a position"),
		flag("board-type", datasets.List, "how files store that array: list or packed"),
		flag("perspective", board, "board: board and actions are the same for both sides; mover: the side to move sees them from its side"),
		flag("columns", "", "columns beyond the default set: +"+strings.Join(encode.ExtraNames(), ",+")),
		flag("skip", "", "leave out rows for which a `CONDITION` holds: "+strings.Join(encode.ConditionNames(), ", ")+"; separate several with commas"),
		flag("keep", "1", "keep this `FRACTION` of the remaining rows, in thousandths"),
		flag("max-rows-per-game", "", "keep at most `N` of the remaining rows of a game, drawn at random; 0 keeps all"),
	}
}

// Values of --perspective.
const (
	board = "board"
	mover = datasets.Mover
)

// Apply changes a shape as the given flags say.
func Apply(c *cli.Context, s *rows.Shape) error {
	for _, flag := range []struct {
		name string
		set  func(s *rows.Shape, text string) error
	}{
		{"format", func(s *rows.Shape, text string) error { s.Format = text; return nil }}, // checked with the plan
		{"board-type", func(s *rows.Shape, text string) error { s.BoardType = text; return nil }},
		{"layout", setLayout},
		{"perspective", setPerspective},
		{"columns", func(s *rows.Shape, text string) (err error) { s.Extra, err = encode.ParseExtra(text); return err }},
		{"skip", func(s *rows.Shape, text string) (err error) { s.Filter.Skip, err = encode.ParseSkip(text); return err }},
		{"keep", setKeep},
		{"max-rows-per-game", setMaxRows},
	} {
		if !c.IsSet(flag.name) {
			continue
		}
		if err := flag.set(s, c.String(flag.name)); err != nil {
			return app.Usage("%v", err)
		}
	}
	return nil
}

func setLayout(s *rows.Shape, name string) (err error) {
	s.Layout, err = s.Game.Layout(name)
	return err
}

func setPerspective(s *rows.Shape, name string) error {
	if name != board && name != mover {
		return app.Usage("unknown perspective %q: want %s or %s", name, board, mover)
	}
	s.Mover = name == mover
	return nil
}

func setKeep(s *rows.Shape, text string) error {
	fraction, err := encode.ParseKeep(text)
	if err != nil {
		return app.Usage("keep %v", err)
	}
	s.Filter.Keep = fraction
	return nil
}

func setMaxRows(s *rows.Shape, text string) error {
	n, err := strconv.ParseUint(text, 10, 31)
	if err != nil {
		return app.Usage("max-rows-per-game %q: want a number, 0 for all", text)
	}
	s.Filter.MaxRows = int(n)
	return nil
}

// CheckFlag returns the flag that says how much of a new file is read back.
func CheckFlag() cli.Flag {
	return &cli.StringFlag{Name: "check", Value: "full", Usage: "how new files are read back before they count: full or light"}
}

// Check reads that flag. It changes no byte of the dataset.
func Check(c *cli.Context) (datasets.CheckLevel, error) {
	switch check := c.String("check"); check {
	case "full":
		return datasets.CheckFull, nil
	case "light":
		return datasets.CheckLight, nil
	default:
		return 0, app.Usage("unknown check %q: want full or light", check)
	}
}

// MakeOut makes the directory of the dataset, so that an unusable path is refused before
// any game is played.
func MakeOut(dir string) error {
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		return app.Usage("make dataset: %s is not a directory", dir)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return app.Usage("make dataset: %v", err)
	}
	return nil
}
