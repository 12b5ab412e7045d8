package app

import (
	"log/slog"

	"github.com/urfave/cli/v2"
)

// logFlags are flags of the program and of every command, so that they may
// stand before the command or behind it.
func logFlags() []cli.Flag {
	return []cli.Flag{
		&cli.BoolFlag{Name: "quiet", EnvVars: []string{"SELFPLAY_QUIET"}, Usage: "say nothing on stderr but errors"},
		&cli.StringFlag{Name: "log-format", EnvVars: []string{"SELFPLAY_LOG_FORMAT"}, Value: "text", Usage: "of the lines on stderr: text or json",
			Action: func(_ *cli.Context, format string) error {
				if format != "text" && format != "json" {
					return Usage("unknown log format %q: want text or json", format)
				}
				return nil
			}},
	}
}

// Quiet reports whether only errors are wanted on stderr.
func Quiet(c *cli.Context) bool {
	for _, level := range c.Lineage() {
		if level.Bool("quiet") {
			return true
		}
	}
	return false
}

// Log returns the logger that the flags ask for.
func Log(c *cli.Context) *slog.Logger {
	o := &slog.HandlerOptions{Level: slog.LevelInfo}
	if Quiet(c) {
		o.Level = slog.LevelError
	}
	if logsJSON(c) {
		return slog.New(slog.NewJSONHandler(c.App.ErrWriter, o))
	}
	return slog.New(slog.NewTextHandler(c.App.ErrWriter, o))
}

// logsJSON reports whether the lines on stderr are JSON.
func logsJSON(c *cli.Context) bool {
	for _, level := range c.Lineage() {
		if level.IsSet("log-format") && level.String("log-format") == "json" {
			return true
		}
	}
	return false
}
