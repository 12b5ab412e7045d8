package app

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"strconv"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/human"
	"selfplay/datasets/output"
)

// Groups of flags in the help of a command: the Category of a flag. The help prints them in
// the order of groups.
const (
	Game      = "GAME"
	ungrouped = "FLAGS"
	Players   = "PLAYERS"
	Openings  = "OPENINGS, EXPLORATION AND ADJUDICATION"
	Rows      = "ROWS"
	Output    = "OUTPUT"
	Cluster   = "CLUSTER"
	Stores    = "OBJECT STORES"
	Logging   = "LOGGING"
)

var groups = []string{Game, ungrouped, Players, Openings, Rows, Output, Cluster, Stores, Logging}

// Groups of commands in the help of a program: the Category of a command. The help prints
// them in the order of the commands.
const (
	Making   = "MAKE DATASETS"
	Reading  = "USE DATASETS"
	Asking   = "ASK ABOUT GAMES AND PLAYERS"
	Programs = "THIS PROGRAM"
)

// CountFlag returns a flag for a number of games, rows or plies: 4000, 10k, 1.5M or 1e6.
// Read it with c.Uint64 or c.Int.
func CountFlag(name string, value uint64, category, usage string) *cli.GenericFlag {
	n := count(value)
	return &cli.GenericFlag{Name: name, Category: category, Usage: usage, Value: &n}
}

// count is the value of such a flag. Its text has digits only, which is what package cli
// parses again.
type count uint64

func (n *count) Set(text string) error {
	v, err := human.ParseCount(text)
	*n = count(v)
	return err
}

func (n *count) String() string { return strconv.FormatUint(uint64(*n), 10) }

// JSONFlag returns --json of a command that prints one object.
func JSONFlag() cli.Flag { return JSONFlagFor("print one line of JSON") }

// JSONFlagFor returns --json of a command whose JSON needs more words.
func JSONFlagFor(usage string) cli.Flag {
	return &cli.BoolFlag{Name: "json", Category: Output, Usage: usage}
}

// ForceFlag returns --force, for commands that write one file or one folder. CheckOutput
// reads it.
func ForceFlag() cli.Flag {
	return &cli.BoolFlag{Name: "force", Category: Output, Usage: "replace the output if it already exists; never a dataset"}
}

// CheckOutput refuses an output path that already exists, before the work begins. If
// --force is given it accepts an old output that output.CheckReplaceable accepts. It
// removes nothing: package output replaces the old output when the new one is complete, so
// that a failure does not lose the old one. The path "-" means stdout and is always
// accepted.
func CheckOutput(c *cli.Context, path string) error {
	if path == "-" {
		return nil
	}
	if err := RefuseURL(path); err != nil {
		return err
	}
	_, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("check output: %w", err)
	case !c.Bool("force"):
		return Usage("%s already exists (use --force to replace it)", path)
	}
	if err := output.CheckReplaceable(path); err != nil {
		return Usage("replace %s: %v", path, err)
	}
	return nil
}

// --log-format and its values.
const (
	logFormat = "log-format"

	logText = "text"
	logJSON = "json"
)

// logFlags returns new flags for the program or a command: all have them.
func logFlags() []cli.Flag {
	return []cli.Flag{
		&cli.BoolFlag{Name: "quiet", Category: Logging, Usage: "print only errors on stderr, and no summary"},
		&cli.StringFlag{Name: logFormat, Category: Logging, Value: logText, Usage: "`FORMAT` of the lines on stderr: text or json",
			Action: func(_ *cli.Context, format string) error {
				if format != logText && format != logJSON {
					return Usage("unknown log format %q: want text or json", format)
				}
				return nil
			}},
	}
}

// Quiet reports whether --quiet is given.
func Quiet(c *cli.Context) bool { return c.Bool("quiet") }

// Log returns the logger that the flags ask for. It writes to stderr.
func Log(c *cli.Context) *slog.Logger {
	o := &slog.HandlerOptions{Level: slog.LevelInfo}
	if Quiet(c) {
		o.Level = slog.LevelError
	}
	if c.String(logFormat) == logJSON {
		return slog.New(slog.NewJSONHandler(c.App.ErrWriter, o))
	}
	return slog.New(slog.NewTextHandler(c.App.ErrWriter, o))
}
