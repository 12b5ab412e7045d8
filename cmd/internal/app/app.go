// Package app is the frame that the programs selfplay and export share: it parses command
// lines, prints help and completions, words errors and sets the exit code. A command only
// returns an error; the line on stderr and the exit code are made here.
//
//	app.go       New and Run: a program of commands
//	main.go      the main function: signals, memory; stderr.go a closed stderr,
//	             stderr_*.go a descriptor whose writes raise no signals
//	line.go      flags anywhere on the line, the words of help and --version
//	args.go      positional arguments, required flags, games by name
//	refuse.go    messages about unknown flags, invalid values and other plans; did you mean
//	variables.go  flags that the environment sets
//	flags.go     the groups of flags in the help; flags for counts, --json, --force and logs
//	printable.go  text without control characters, for terminals
//	help.go      the help of a program or a command; help_flags.go its flags
//	version.go   the command version
//	completion.go  what may come next on a command line, and the command completion; its
//	             scripts for shells are in scripts
//	exit.go      exit codes, hints about damage
//	panic.go     panics as internal errors
//	memory.go, memory_*.go  whether the tables of players fit into the available memory
//	store.go     datasets in object stores; store_s3.go, or store_none.go with the tag nos3
package app

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"

	"github.com/urfave/cli/v2"

	"selfplay/workers"
)

// New returns a program with the given commands, and with the commands completion and
// version. Its commands find the catalog by Catalog. values are the values that its flags
// complete to, by name: see Values.
func New(name, usage string, known workers.Catalog, values map[string]Values, commands ...*cli.Command) *cli.App {
	commands = append(commands, completionCommand(name), versionCommand())
	program := &cli.App{
		Name: name, HelpName: name, Usage: usage, Version: Version(), Commands: commands,
		Flags:           logFlags(),
		HideHelp:        true, // Run prints the help
		HideHelpCommand: true,
		HideVersion:     true,
		Action:          noCommand,
		Metadata:        map[string]any{catalogKey: known, valuesKey: withShared(values)},
		// Some games have moves with a comma, so --play must not split its value.
		DisableSliceFlagSeparator: true,
	}
	program.Setup() // sets the HelpName of commands, which prepare sets again
	for _, c := range commands {
		prepare(c, name)
	}
	return program
}

// prepare gives a command and its subcommands what all commands share.
func prepare(c *cli.Command, parent string) {
	c.HelpName = parent + " " + c.Name
	c.HideHelp, c.HideHelpCommand = true, true
	c.Flags = append(c.Flags, logFlags()...)
	for _, sub := range c.Subcommands {
		prepare(sub, c.HelpName)
	}
	if len(c.Subcommands) > 0 {
		c.Action = noCommand
	}
}

// noCommand is the action of a program, and of a command with commands.
func noCommand(c *cli.Context) error {
	return Usage("no command: want one of %s (%s --help explains them)", names(c.Command.Subcommands), c.Command.HelpName)
}

// names returns the names of commands as text.
func names(commands []*cli.Command) string {
	var list []string
	for _, c := range commands {
		list = append(list, c.Name)
	}
	return strings.Join(list, ", ")
}

// Run runs a program and returns its exit code. args[0] is the program's name. An error
// becomes one line on stderr that begins with the program's name, or one line of JSON if
// --log-format asks for it. So does a panic: an internal error, with exit code Failed.
func Run(ctx context.Context, program *cli.App, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	program.Reader, program.Writer, program.ErrWriter = stdin, printable{stdout}, stderr
	var l line
	err := runArgs(ctx, program, args, &l)
	if err != nil {
		printStack(program, err)
		reportError(program, &l, oneLine(err.Error()))
	}
	return code(ctx, err)
}

// runArgs runs what a command line asks for. It sets l as soon as the line is parsed.
func runArgs(ctx context.Context, program *cli.App, args []string, l *line) (err error) {
	defer recoverPanic(args, &err)
	if len(args) > 2 && args[1] == completeWord {
		for _, c := range complete(program, args[2:]) {
			fmt.Fprintln(Bytes(program.Writer), c)
		}
		return nil
	}
	*l, err = parseLine(program, args[1:])
	switch {
	case err != nil:
		return err
	case l.help, l.bare():
		return printHelp(Bytes(program.Writer), l.command)
	case l.version:
		_, err := fmt.Fprintf(program.Writer, "%s version %s\n", program.Name, program.Version)
		return err
	}
	// Without a handler of its own, package cli would end the process.
	program.ExitErrHandler = func(*cli.Context, error) {}
	begin := func(c *cli.Context) error {
		if c.Command.HelpName != l.command.HelpName {
			return nil // the program, before one of its commands
		}
		if err := l.setFlags(c); err != nil {
			return err
		}
		return cmp.Or(SetVariables(c, shared...), UseStores(c))
	}
	program.Before, l.command.Before = begin, begin
	return explainPlan(l.command, program.RunContext(ctx, l.words()))
}

// reportError writes the last line on stderr. The line decides on its form, because package
// cli may have failed to parse the flags.
func reportError(program *cli.App, l *line, text string) {
	if cmp.Or(l.values[logFormat], os.Getenv(Variable(logFormat))) == logJSON {
		slog.New(slog.NewJSONHandler(program.ErrWriter, nil)).Error(text)
		return
	}
	fmt.Fprintf(program.ErrWriter, "%s: %s\n", program.Name, text)
}

func oneLine(text string) string {
	text = strings.Join(strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\r' }), " ")
	return string(escapeControls([]byte(text)))
}
