// Package app is what the commands have in common: how they read their
// flags, how they refuse and how they end. A command returns an error; the line
// on stderr and the exit code are made here, in one place.
//
//	program.go  the frame around a command line program
//	main.go     its main function: signals
//	exit.go     exit codes, which error means which, and what to do about damage
//	args.go     positional arguments and refused flags
//	json.go     how --json writes
//	log.go      --quiet and --log-format
//	memory.go   how much of it there is
package app

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/urfave/cli/v2"
)

// New returns a program of these commands.
func New(name, usage string, commands ...*cli.Command) *cli.App {
	var names []string
	for _, c := range commands {
		names = append(names, c.Name)
		c.Flags = append(c.Flags, logFlags()...)
		c.HideHelpCommand = true // a directory may be called help
		c.OnUsageError = refuseFlag
	}
	return &cli.App{
		Name: name, Usage: usage, Version: Version(), Commands: commands,
		Flags:                logFlags(),
		EnableBashCompletion: true,
		OnUsageError:         refuseFlag,
		// The moves of some games have a comma in them.
		DisableSliceFlagSeparator: true,
		Action: func(c *cli.Context) error {
			if c.Args().Present() {
				return Usage("unknown command %q: want one of %s", c.Args().First(), strings.Join(names, ", "))
			}
			return Usage("no command: want one of %s (%s --help tells more)", strings.Join(names, ", "), name)
		},
	}
}

// Run runs a program and returns its exit code. An error becomes one line on
// stderr that begins with the program's name, or one of JSON where the log is.
func Run(ctx context.Context, app *cli.App, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	app.Reader, app.Writer, app.ErrWriter = stdin, stdout, stderr
	say := func(text string) { fmt.Fprintf(stderr, "%s: %s\n", app.Name, text) }
	// What cli would do with an error is to end the process on the spot.
	app.ExitErrHandler = func(c *cli.Context, err error) {
		if err != nil && logsJSON(c) {
			say = func(text string) { Log(c).Error(text) }
		}
	}
	err := app.RunContext(ctx, args)
	if err != nil {
		say(oneLine(err.Error()))
	}
	return code(ctx, err)
}

func oneLine(text string) string {
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\r' }), " ")
}

// Version tells which build this is: the module's version or commit where the
// build knows one, and the compiler's.
func Version() string {
	v := "devel"
	if info, ok := debug.ReadBuildInfo(); ok {
		if info.Main.Version != "" && info.Main.Version != "(devel)" {
			v = info.Main.Version
		}
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				v += " " + s.Value
			}
		}
	}
	return v + " " + runtime.Version()
}
