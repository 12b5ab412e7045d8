package rows

import (
	"os"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/program"
	"selfplay/datasets"
	"selfplay/encode"
)

// Flags say how games become rows. Unless tells what holds where a flag is not
// given; if it is empty, each has a default of its own.
func Flags(unless string) []cli.Flag {
	flag := func(name, value, usage string) cli.Flag {
		if unless != "" {
			value = unless
		}
		return &cli.StringFlag{Name: name, DefaultText: value, Usage: usage}
	}
	return []cli.Flag{
		flag("format", datasets.Parquet, "of the files: parquet or arrow"),
		flag("layout", "compact", "`NAME` of the array that a position becomes"),
		flag("board-type", datasets.List, "how files hold that array: list or packed"),
		flag("perspective", board, "who sees board and actions: board, the same for both sides, or mover, the side to move"),
		flag("columns", "", "columns beyond the default set: +"+strings.Join(encode.ExtraNames(), ",+")),
		flag("skip", "", "leave out rows for which a `CONDITION` holds: "+strings.Join(encode.ConditionNames(), ", ")+"; several with commas"),
		flag("keep", "1", "keep this `SHARE` of the rows that are left, in whole thousandths"),
		flag("max-rows-per-game", "", "keep `N` of the rows of a game that are left, drawn at random; 0 for all"),
	}
}

// Values of --perspective.
const (
	board = "board"
	mover = datasets.Mover
)

// Change changes the shape as the flags say that are given.
func (s *Shape) Change(c *cli.Context) error {
	for _, flag := range []struct {
		name string
		read func(text string) error
	}{
		{"format", func(text string) error { s.Format = text; return nil }}, // a plan is checked
		{"board-type", func(text string) error { s.BoardType = text; return nil }},
		{"layout", s.setLayout},
		{"perspective", s.setPerspective},
		{"columns", func(text string) (err error) { s.Extra, err = encode.ParseExtra(text); return err }},
		{"skip", func(text string) (err error) { s.Filter.Skip, err = encode.ParseSkip(text); return err }},
		{"keep", s.setKeep},
		{"max-rows-per-game", s.setMaxRows},
	} {
		if !c.IsSet(flag.name) {
			continue
		}
		if err := flag.read(c.String(flag.name)); err != nil {
			return program.Usage("%v", err)
		}
	}
	return nil
}

func (s *Shape) setLayout(name string) (err error) {
	s.Layout, err = s.Game.Layout(name)
	return err
}

func (s *Shape) setPerspective(name string) error {
	if name != board && name != mover {
		return program.Usage("unknown perspective %q: want %s or %s", name, board, mover)
	}
	s.Mover = name == mover
	return nil
}

func (s *Shape) setKeep(text string) error {
	share, err := encode.ParseKeep(text)
	if err != nil {
		return program.Usage("keep %v", err)
	}
	s.Filter.Keep = share
	return nil
}

func (s *Shape) setMaxRows(text string) error {
	n, err := strconv.ParseUint(text, 10, 31)
	if err != nil {
		return program.Usage("max-rows-per-game %q: want a number, 0 for all", text)
	}
	s.Filter.MaxRows = int(n)
	return nil
}

// CheckFlag says how much of a new file is read back.
func CheckFlag() cli.Flag {
	return &cli.StringFlag{Name: "check", Value: "full", Usage: "how new files are read back before they count: full or light"}
}

// Check reads that flag. No byte depends on it.
func Check(c *cli.Context) (datasets.Check, error) {
	switch check := c.String("check"); check {
	case "full":
		return datasets.CheckFull, nil
	case "light":
		return datasets.CheckLight, nil
	default:
		return 0, program.Usage("unknown check %q: want full or light", check)
	}
}

// MakeOut makes the directory of the dataset, so that one that cannot be there
// is refused before anything begins.
func MakeOut(dir string) error {
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		return program.Usage("make dataset: %s is not a directory", dir)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return program.Usage("make dataset: %v", err)
	}
	return nil
}
