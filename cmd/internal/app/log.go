package app

import (
	"log/slog"

	"github.com/urfave/cli/v2"
)

// --log-format, its environment variable and its values.
const (
	logFormat         = "log-format"
	logFormatVariable = "SELFPLAY_LOG_FORMAT"

	logText = "text"
	logJSON = "json"
)

// logFlags returns new flags for the program or a command: all have them, so that the
// environment sets them before a command is known.
func logFlags() []cli.Flag {
	return []cli.Flag{
		&cli.BoolFlag{Name: "quiet", Category: Logging, EnvVars: []string{"SELFPLAY_QUIET"}, Usage: "print only errors on stderr, and no summary"},
		&cli.StringFlag{Name: logFormat, Category: Logging, EnvVars: []string{logFormatVariable}, Value: logText, Usage: "`FORMAT` of the lines on stderr: text or json",
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
