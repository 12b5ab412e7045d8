package program

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"unicode"
	"unicode/utf8"

	"github.com/urfave/cli/v2"

	"selfplay/datasets"
	"selfplay/datasets/disk"
	"selfplay/datasets/making"
	"selfplay/datasets/plan"
)

// Exit codes. Scripts and schedulers test them: append, never renumber.
const (
	exitDone           = 0
	exitFailed         = 1
	exitBadUsage       = 2
	exitStopped        = 3 // before the end; the same command resumes
	exitDamaged        = 4
	exitPlanMismatch   = 5
	exitNondeterminism = 6
	exitLocked         = 11
)

// usageError is a request that was refused before any work began.
type usageError struct{ msg string }

func (e usageError) Error() string { return e.msg }

// usagef returns an error that ends the program with exitBadUsage.
func usagef(format string, args ...any) error { return usageError{fmt.Sprintf(format, args...)} }

// errDamaged ends the program with exitDamaged.
var errDamaged = errors.New("the dataset is damaged")

// ownLine returns a command line of this program, as its user types it in a shell. Hints use it.
func ownLine(c *cli.Context, args ...string) string { return lineOf(c.App.Name, args...) }

// lineOf returns the command line of a program with arguments, as a shell takes it.
func lineOf(program string, args ...string) string {
	for _, arg := range args {
		program += " " + shellQuoted(arg)
	}
	return program
}

// plainWord matches the texts that a shell takes as they are.
var plainWord = regexp.MustCompile(`^[\pL\pN%+,./:=@_-]+$`)

// shellQuoted returns a text as a shell takes it.
func shellQuoted(text string) string {
	if plainWord.MatchString(text) {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

// explainDamage adds to an error of a damaged dataset what to do about it. It returns other
// errors unchanged, and those of networks, which say it.
func explainDamage(c *cli.Context, dir string, err error) error {
	if !errors.Is(err, datasets.ErrCorrupt) || plan.IsNetworkDamage(err) {
		return err
	}
	details := ownLine(c, "verify", dir)
	if disk.IsURL(dir) {
		return fmt.Errorf("%w: run %s for details; %s", err, details, storeAdvice)
	}
	return fmt.Errorf("%w: run %s for details, %s to remove the damage", err, details, ownLine(c, "repair", dir))
}

// storeAdvice says how to remove damage from an object store, where repair refuses to work.
const storeAdvice = "to remove the damage from the store, delete the files that verify lists, of a damaged shard NNNNN both data files " +
	"and .selfplay/commits/NNNNN.json, then repeat the command that made the dataset"

// repairAdvice says how to remove the damage that verify lists. flags are those of verify that repair
// needs too.
func repairAdvice(c *cli.Context, dir string, flags ...string) string {
	if disk.IsURL(dir) {
		return storeAdvice
	}
	return "run " + ownLine(c, slices.Concat([]string{"repair"}, flags, []string{dir})...) + " to remove the damage"
}

// exitCodes lists the exit codes of errors. The first error that matches counts.
var exitCodes = []struct {
	err  error
	code int
}{
	{errDamaged, exitDamaged},
	{datasets.ErrPlanMismatch, exitPlanMismatch},
	{datasets.ErrNondeterminism, exitNondeterminism},
	{datasets.ErrLocked, exitLocked},
	{datasets.ErrIncomplete, exitStopped},
	{datasets.ErrNotDataset, exitBadUsage},
	{datasets.ErrNoRecords, exitBadUsage},
	{datasets.ErrUnsupported, exitBadUsage},
	{datasets.ErrNotForTasks, exitBadUsage},
	{making.ErrNested, exitBadUsage},
	{making.ErrTargetLowered, exitBadUsage}, // a scheduler that repeats the command would raise it again
	// Trying again does not help if the place cannot be written to.
	{fs.ErrPermission, exitBadUsage},
	{syscall.EROFS, exitBadUsage},
}

// exitCodeOf returns the exit code of the program if a command returns err.
func exitCodeOf(c *cli.Context, err error) int { return exitCode(c.Context, err) }

// exitCode returns the exit code for err.
func exitCode(ctx context.Context, err error) int {
	if err == nil {
		return exitDone
	}
	usage := usageError{}
	if errors.As(err, &usage) {
		if ctx.Err() != nil { // it stopped while flags were read: a model takes minutes to load
			return exitStopped
		}
		return exitBadUsage
	}
	for _, c := range exitCodes {
		if errors.Is(err, c.err) {
			return c.code
		}
	}
	if ctx.Err() != nil && (errors.Is(err, ctx.Err()) || errors.Is(err, context.Cause(ctx))) {
		return exitStopped
	}
	return exitFailed
}

// A plan, a file name or an error may contain untrusted text. Control characters in it could
// move the cursor, hide lines or send keys. What the programs print therefore has none but
// new lines and tabs.

// printable is a writer that escapes control characters, as JSON does.
type printable struct{ w io.Writer }

func (p printable) Write(data []byte) (int, error) {
	if !bytes.ContainsFunc(data, isControl) {
		return p.w.Write(data)
	}
	if _, err := p.w.Write(escapeControls(data)); err != nil {
		return 0, err
	}
	return len(data), nil
}

// bytesWriter returns the writer behind the one of a program, for data that is not text.
func bytesWriter(w io.Writer) io.Writer {
	if p, ok := w.(printable); ok {
		return p.w
	}
	return w
}

// isControl reports whether a terminal may act on a character. New lines and tabs are
// harmless.
func isControl(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' }

func escapeControls(data []byte) []byte {
	var b bytes.Buffer
	for len(data) > 0 {
		r, n := utf8.DecodeRune(data)
		if isControl(r) {
			fmt.Fprintf(&b, `\u%04x`, r)
		} else {
			b.Write(data[:n]) // invalid bytes stay as they are
		}
		data = data[n:]
	}
	return b.Bytes()
}
