package program

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"syscall"

	"github.com/KimMachineGun/automemlimit/memlimit"
	"github.com/urfave/cli/v2"

	_ "selfplay/cmd/internal/byteorder"
	"selfplay/datasets"
	"selfplay/internal/goroutine"
	"selfplay/workers"
)

// newApp returns a program with the given commands, and with the commands completion and
// version. Its commands find the catalog by catalogOf. values are the values that its flags
// complete to, by name: see flagValues.
func newApp(name, usage string, known workers.Catalog, values map[string]flagValues, commands ...*cli.Command) *cli.App {
	commands = append(commands, completionCommand(name), versionCommand())
	program := &cli.App{
		Name: name, HelpName: name, Usage: usage, Version: programVersion(), Commands: commands,
		Flags:           logFlags(),
		HideHelp:        true, // runApp prints the help
		HideHelpCommand: true,
		HideVersion:     true,
		Action:          noCommand,
		Metadata:        map[string]any{catalogKey: known, valuesKey: withShared(values)},
		// Some games have moves with a comma, so --play must not split its value.
		DisableSliceFlagSeparator: true,
	}
	program.Setup() // sets the HelpName of commands, which prepare sets again
	for _, c := range commands {
		prepareCommand(c, name)
	}
	return program
}

// prepareCommand gives a command and its subcommands what all commands share.
func prepareCommand(c *cli.Command, parent string) {
	c.HelpName = parent + " " + c.Name
	c.HideHelp, c.HideHelpCommand = true, true
	c.Flags = append(c.Flags, logFlags()...)
	for _, sub := range c.Subcommands {
		prepareCommand(sub, c.HelpName)
	}
	if len(c.Subcommands) > 0 {
		c.Action = noCommand
	}
}

// noCommand is the action of a program, and of a command with commands.
func noCommand(c *cli.Context) error {
	return usagef("no command: want one of %s (%s --help explains them)", commandNames(c.Command.Subcommands), c.Command.HelpName)
}

// runApp runs a program and returns its exit code. args[0] is the program's name. An error
// becomes one line on stderr that begins with the program's name, or one line of JSON if
// --log-format asks for it. So does a panic: an internal error, with exit code exitFailed.
func runApp(ctx context.Context, program *cli.App, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	program.Reader, program.Writer, program.ErrWriter = stdin, printable{stdout}, stderr
	var l commandLine
	err := runLine(ctx, program, args, &l)
	code := exitCode(ctx, err) // before the message: where nothing reads it, the context ends
	if err != nil {
		printStack(program, err)
		reportError(program, &l, oneLine(err.Error()))
	}
	return code
}

// runLine runs what a command line asks for. It sets l as soon as the line is parsed.
func runLine(ctx context.Context, program *cli.App, args []string, l *commandLine) (err error) {
	defer recoverPanic(args, &err)
	if len(args) > 2 && args[1] == completeWord {
		for _, c := range complete(program, args[2:]) {
			fmt.Fprintln(bytesWriter(program.Writer), c)
		}
		return nil
	}
	*l, err = parseLine(program, args[1:])
	switch {
	case err != nil:
		return err
	case l.help, l.bare():
		return printHelp(bytesWriter(program.Writer), l.command)
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
		return cmp.Or(setVariables(c, sharedVariables...), useStores(c))
	}
	program.Before, l.command.Before = begin, begin
	return explainPlan(l.command, program.RunContext(ctx, l.words()))
}

// reportError writes the last line on stderr. The line decides on its form, because package
// cli may have failed to parse the flags.
func reportError(program *cli.App, l *commandLine, text string) {
	if cmp.Or(l.values[logFormat], os.Getenv(variableOf(logFormat))) == logJSON {
		slog.New(slog.NewJSONHandler(program.ErrWriter, nil)).Error(text)
		return
	}
	fmt.Fprintf(program.ErrWriter, "%s: %s\n", program.Name, text)
}

func oneLine(text string) string {
	text = strings.Join(strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\r' }), " ")
	return string(escapeControls([]byte(text)))
}

// explainPlan names the flags of a command that set what two plans differ in, and says what to do.
// It returns other errors unchanged.
func explainPlan(c *cli.Command, err error) error {
	var differ *datasets.PlanError
	if !errors.As(err, &differ) || findFlag(c, "out") == nil {
		return err
	}
	named := datasets.PlanError{Dir: differ.Dir, Differences: slices.Clone(differ.Differences), Build: differ.Build}
	for i := range named.Differences {
		d := &named.Differences[i]
		flag := flagOfSetting(d.Setting)
		if findFlag(c, flag) != nil {
			d.Setting = "--" + flag
		}
	}
	return fmt.Errorf("%w; choose another --out", &named)
}

// flagOfSetting returns the flag that a setting of a plan has in commands that play.
func flagOfSetting(setting string) string {
	if setting == "explore" {
		return "explore-moves"
	}
	return strings.ReplaceAll(setting, "_", "-")
}

// exitWith runs a program with the arguments of the process and exits with its code. The first
// SIGINT, SIGTERM or SIGHUP cancels the context of run; the second one ends the process. A
// write to a closed stderr cancels the context too.
func exitWith(run func(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int) {
	debug.SetTraceback("crash")                          // out of memory is a SIGABRT: Go's own exit code for it is 2, that of bad input
	_, _ = memlimit.Set(memlimit.WithRatio(memoryShare)) // without a limit to read, the default stays
	ctx, stop := context.WithCancelCause(untilSignal())
	os.Exit(run(ctx, os.Args, os.Stdin, os.Stdout, openStderr(stop)))
}

// memoryShare is the share of the cgroup's memory that the Go heap may use, unless GOMEMLIMIT
// is set. Without a limit a container may be killed for memory that is only garbage. The rest
// is for stacks, file buffers and what the runtime does not count.
const memoryShare = 0.9

// untilSignal returns a context that the first signal cancels. The second signal is handled
// here and not by the system: a shell starts background processes of a script with SIGINT
// ignored, and the system would ignore it again. The exit code is the one a shell reports
// for a process killed by the signal: 130 for SIGINT, 143 for SIGTERM.
func untilSignal() context.Context {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // nohup ignores it
		signals = append(signals, syscall.SIGHUP)
	}
	received := make(chan os.Signal, 2)
	signal.Notify(received, signals...)
	ctx, _ := signal.NotifyContext(context.Background(), signals...)
	go func() {
		<-received
		os.Exit(128 + int((<-received).(syscall.Signal)))
	}()
	return ctx
}

// errStderrClosed is the cause of a stop because nothing reads stderr any more.
var errStderrClosed = errors.New("nothing reads stderr any more")

// openStderr returns the stderr of the process for logs and errors. If it is a pipe whose
// reader has ended, as in `selfplay run 2>&1 | head`, the next line does not kill the
// process. It calls stop, as a signal does, and the command ends in order.
func openStderr(stop context.CancelCauseFunc) io.Writer {
	if info, err := os.Stderr.Stat(); err != nil || info.Mode()&os.ModeCharDevice != 0 {
		return os.Stderr // a terminal; when it closes, SIGHUP stops the command
	}
	return &stderrPipe{unsignalled(), sync.OnceFunc(func() {
		signal.Ignore(syscall.SIGPIPE) // stdout may be the same pipe: keep the exit code of the stop
		stop(errStderrClosed)
	})}
}

// stderrPipe is stderr that is no terminal.
type stderrPipe struct {
	w      io.Writer
	closed func() // called after the first write to a pipe without a reader
}

func (p *stderrPipe) Write(data []byte) (int, error) {
	n, err := p.w.Write(data)
	if errors.Is(err, syscall.EPIPE) {
		p.closed()
	}
	return n, err
}

// debugVariable is the environment variable that, set to 1, shows the stack of a panic.
const debugVariable = variablePrefix + "DEBUG"

// reportPlace is where users report errors of the program.
const reportPlace = "the issue page of the repository you got it from"

// internalError is a panic of a command, an error of the program and not of its user.
// Nothing in its chain decides the exit code: it is always exitFailed.
type internalError struct {
	text  string // what panicked, and where
	stack []byte // of the goroutine that panicked
	line  string // the command line
}

func (e *internalError) Error() string {
	return fmt.Sprintf("internal error: %s; please report this at %s with the command: %s", e.text, reportPlace, e.line)
}

// recoverPanic turns a panic of the caller, or of a goroutine that it waited for, into an
// internalError. Defer it.
func recoverPanic(args []string, err *error) {
	value := recover()
	if value != nil {
		*err = &internalError{fmt.Sprint(value), debug.Stack(), quotedLine(args)}
	}
	if p := (*goroutine.PanicError)(nil); errors.As(*err, &p) {
		*err = &internalError{(*err).Error(), p.Stack, quotedLine(args)}
	}
}

// quotedLine returns the arguments as one line. Arguments with spaces or other characters
// that are special in a line are quoted.
func quotedLine(args []string) string {
	words := make([]string, len(args))
	for i, arg := range args {
		words[i] = arg
		quoted := fmt.Sprintf("%q", arg)
		if arg == "" || strings.Contains(arg, " ") || quoted != `"`+arg+`"` {
			words[i] = quoted
		}
	}
	return strings.Join(words, " ")
}

// printStack writes the stack of a panic to stderr, if the environment asks for it.
func printStack(program *cli.App, err error) {
	if e := (*internalError)(nil); errors.As(err, &e) && os.Getenv(debugVariable) == "1" {
		_, _ = program.ErrWriter.Write(e.stack) // stderr may be closed
	}
}
