package app

import (
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"strings"

	"github.com/urfave/cli/v2"

	"selfplay/internal/goroutine"
)

// DebugVariable is the environment variable that, set to 1, shows the stack of a panic.
const DebugVariable = VariablePrefix + "DEBUG"

// reportPlace is where users report errors of the program.
const reportPlace = "the issue page of the repository you got it from"

// internalError is a panic of a command, an error of the program and not of its user.
// Nothing in its chain decides the exit code: it is always Failed.
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
	if value := recover(); value != nil {
		*err = &internalError{fmt.Sprint(value), debug.Stack(), commandLine(args)}
	}
	if p := (*goroutine.PanicError)(nil); errors.As(*err, &p) {
		*err = &internalError{(*err).Error(), p.Stack, commandLine(args)}
	}
}

// commandLine returns the arguments as one line. Arguments with spaces or other characters
// that are special in a line are quoted.
func commandLine(args []string) string {
	words := make([]string, len(args))
	for i, arg := range args {
		words[i] = arg
		if quoted := fmt.Sprintf("%q", arg); arg == "" || strings.Contains(arg, " ") || quoted != `"`+arg+`"` {
			words[i] = quoted
		}
	}
	return strings.Join(words, " ")
}

// printStack writes the stack of a panic to stderr, if the environment asks for it.
func printStack(program *cli.App, err error) {
	if e := (*internalError)(nil); errors.As(err, &e) && os.Getenv(DebugVariable) == "1" {
		_, _ = program.ErrWriter.Write(e.stack) // stderr may be closed
	}
}
