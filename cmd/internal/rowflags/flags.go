// Package rowflags defines the flags that say how games become rows and rows become files.
// The commands that make datasets share it.
//
//	flags.go      the flags and how they change a shape
//	where.go      --where
//	deblunder.go  value targets, and the model of scores
//	shards.go     how games are grouped into shards and splits
//	about.go      texts for the card
//	check.go      --check, and the directory of a dataset
//	values.go     what the flags complete to
package rowflags

import (
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/app"
	"selfplay/cmd/internal/human"
	"selfplay/datasets/plan"
	"selfplay/datasets/rows"
	"selfplay/encode"
)

// Flags returns the flags. The help shows unless as the default of each flag; if it is
// empty, each flag shows a default of its own.
func Flags(unless string) []cli.Flag {
	flag := flagOf(unless)
	return append([]cli.Flag{
		flag("format", plan.Parquet, "file `FORMAT`: parquet or arrow"),
		flag("layout", "compact", "`NAME` of the array that encodes a position: compact or planes"),
		flag("board-type", plan.List, "column `TYPE` of that array: list (of integers) or packed (bytes)"),
		flag("perspective", board, "`SIDE` that boards and actions are seen from: board, the same for both sides, or mover, the side to move; planes are always mover"),
		flag("columns", "", "add `COLUMNS` to the default set: +"+strings.Join(encode.ExtraNames(), ", +")+"; separate them by commas"),
	}, FilterFlags(unless)...)
}

// flagOf returns a function that makes a flag.
func flagOf(unless string) func(name, value, usage string) cli.Flag {
	return func(name, value, usage string) cli.Flag {
		if unless != "" {
			value = unless
		}
		return &cli.StringFlag{Name: name, Category: app.Rows, DefaultText: value, Usage: usage}
	}
}

// FilterFlags returns the flags of Flags that drop rows.
func FilterFlags(unless string) []cli.Flag {
	flag := flagOf(unless)
	return []cli.Flag{
		WhereFlag(unless),
		flag("keep", "1", "keep this `FRACTION` of the remaining rows, in whole thousandths"),
		flag("max-rows-per-game", "", "keep at most `N` of the remaining rows of each game, drawn at random; 0 keeps all"),
	}
}

// Values of --perspective.
const (
	board = "board"
	mover = plan.Mover
)

// setter changes a shape by the text of a flag.
type setter struct {
	name string
	set  func(s *rows.Shape, text string) error
}

// Apply changes a shape as the given flags say.
func Apply(c *cli.Context, s *rows.Shape) error {
	err := apply(c, s, []setter{
		{"format", func(s *rows.Shape, text string) error { s.Format = text; return nil }}, // Plan.Validate checks it
		{"board-type", func(s *rows.Shape, text string) error { s.BoardType = text; return nil }},
		{"layout", setLayout},
		{"perspective", setPerspective},
		{"columns", setColumns},
	})
	if err == nil {
		err = ApplyFilter(c, s, nil)
	}
	if err != nil {
		return err
	}
	return checkPerspective(c, s)
}

// ApplyFilter changes the filter of a shape as the given flags say. drops is the model of the word
// drop of --where; plans have none, so it is nil if the filter becomes part of one.
func ApplyFilter(c *cli.Context, s *rows.Shape, drops *encode.Deblunder) error {
	if c.IsSet(whereName) {
		w, err := ParseWhere(c, &s.Game, drops)
		if err != nil {
			return err
		}
		s.Filter.Where = w
	}
	return apply(c, s, []setter{
		{"keep", setKeep},
		{"max-rows-per-game", setMaxRows},
	})
}

func apply(c *cli.Context, s *rows.Shape, setters []setter) error {
	for _, flag := range setters {
		if !c.IsSet(flag.name) {
			continue
		}
		if err := flag.set(s, c.String(flag.name)); err != nil {
			return app.Usage("%v", err)
		}
	}
	return nil
}

// checkPerspective refuses --perspective board for a layout that cannot show it.
func checkPerspective(c *cli.Context, s *rows.Shape) error {
	if c.IsSet("perspective") && s.SeenByMover() && !s.Mover {
		return app.Usage("--perspective %s: the layout %s always shows the view of the side to move; leave the flag out or choose %s",
			board, s.Layout.Name, mover)
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

// maxRows bounds --max-rows-per-game; no game has as many rows.
const maxRows = 1<<31 - 1

func setMaxRows(s *rows.Shape, text string) error {
	n, err := human.ParseCount(text)
	if err != nil || n > maxRows {
		return app.Usage("max-rows-per-game %q: want a number, 0 for all", text)
	}
	s.Filter.MaxRows = int(n)
	return nil
}
