package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"syscall"

	"github.com/urfave/cli/v2"

	"selfplay/datasets"
	"selfplay/datasets/disk"
	"selfplay/datasets/making"
	"selfplay/datasets/plan"
)

// Exit codes. Scripts and schedulers test them: append, never renumber.
const (
	Done            = 0
	Failed          = 1
	BadUsage        = 2
	Stopped         = 3 // before the end; the same command resumes
	Damaged         = 4
	PlanMismatch    = 5
	Nondeterminism  = 6
	LockedByAnother = 11
)

// usageError is a request that was refused before any work began.
type usageError struct{ msg string }

func (e usageError) Error() string { return e.msg }

// Usage returns an error that ends the program with BadUsage.
func Usage(format string, args ...any) error { return usageError{fmt.Sprintf(format, args...)} }

// ErrDamaged ends the program with Damaged.
var ErrDamaged = errors.New("the dataset is damaged")

// Shortcuts are the commands of export that selfplay also has without the word export: the
// most used ones.
var Shortcuts = []string{"info", "head", "verify"}

// ExportLine returns the command line of a command of export, as the user of this program
// types it: "export repair DIR", "selfplay export repair DIR" or "selfplay verify DIR". Hints
// use it.
func ExportLine(c *cli.Context, args ...string) string {
	line := strings.Join(args, " ")
	switch {
	case c.App.Name == "export":
		return "export " + line
	case slices.Contains(Shortcuts, args[0]):
		return c.App.Name + " " + line
	}
	return c.App.Name + " export " + line
}

// ExplainDamage adds to an error of a damaged dataset what to do about it. It returns other
// errors unchanged, and those of networks, which say it.
func ExplainDamage(c *cli.Context, dir string, err error) error {
	if !errors.Is(err, datasets.ErrCorrupt) || plan.IsNetworkDamage(err) {
		return err
	}
	details := ExportLine(c, "verify", dir)
	if disk.IsURL(dir) {
		return fmt.Errorf("%w: run %s for details; %s", err, details, storeAdvice)
	}
	return fmt.Errorf("%w: run %s for details, %s to remove the damage", err, details, ExportLine(c, "repair", dir))
}

// storeAdvice says how to remove damage from an object store, where repair refuses to work.
const storeAdvice = "to remove the damage from the store, delete the files that verify lists, of a damaged shard NNNNN both data files " +
	"and .selfplay/commits/NNNNN.json, then repeat the command that made the dataset"

// RepairAdvice says how to remove the damage that verify lists. flags are those of verify that repair
// needs too.
func RepairAdvice(c *cli.Context, dir string, flags ...string) string {
	if disk.IsURL(dir) {
		return storeAdvice
	}
	return "run " + ExportLine(c, slices.Concat([]string{"repair"}, flags, []string{dir})...) + " to remove the damage"
}

// codes lists the exit codes of errors. The first error that matches counts.
var codes = []struct {
	err  error
	code int
}{
	{ErrDamaged, Damaged},
	{datasets.ErrPlanMismatch, PlanMismatch},
	{datasets.ErrNondeterminism, Nondeterminism},
	{datasets.ErrLocked, LockedByAnother},
	{datasets.ErrIncomplete, Stopped},
	{datasets.ErrNotDataset, BadUsage},
	{datasets.ErrNoRecords, BadUsage},
	{datasets.ErrUnsupported, BadUsage},
	{datasets.ErrNotForTasks, BadUsage},
	{making.ErrNested, BadUsage},
	{making.ErrTargetLowered, BadUsage}, // a scheduler that repeats the command would raise it again
	// Trying again does not help if the place cannot be written to.
	{fs.ErrPermission, BadUsage},
	{syscall.EROFS, BadUsage},
}

// ExitCode returns the exit code of the program if a command returns err.
func ExitCode(c *cli.Context, err error) int { return code(c.Context, err) }

// code returns the exit code for err.
func code(ctx context.Context, err error) int {
	if err == nil {
		return Done
	}
	if usage := (usageError{}); errors.As(err, &usage) {
		if ctx.Err() != nil { // it stopped while flags were read: a model takes minutes to load
			return Stopped
		}
		return BadUsage
	}
	for _, c := range codes {
		if errors.Is(err, c.err) {
			return c.code
		}
	}
	if ctx.Err() != nil && (errors.Is(err, ctx.Err()) || errors.Is(err, context.Cause(ctx))) {
		return Stopped
	}
	return Failed
}
