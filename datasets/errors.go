package datasets

import (
	"errors"
	"fmt"
	"selfplay/datasets/disk"
	"selfplay/datasets/internal/fault"
	"strings"
)

// Errors that callers tell apart with errors.Is. Every other error is a plain failure.
var (
	// ErrCorrupt: bytes on disk are not what was committed. Damaged data never panics.
	ErrCorrupt = fault.ErrCorrupt
	// ErrUnsupported: a newer program wrote the data, or the plan names an unknown feature.
	ErrUnsupported = fault.ErrUnsupported
	// ErrNondeterminism: the same shard of the same plan came out differently.
	ErrNondeterminism = fault.ErrNondeterminism
	// ErrLocked: another process writes to the dataset.
	ErrLocked = disk.ErrLocked
	// ErrPlanMismatch: the directory holds a dataset of another plan.
	ErrPlanMismatch = errors.New("dataset has another plan")
	// ErrIncomplete: stopped before the target; the same call resumes.
	ErrIncomplete = errors.New("stopped before the target")
	// ErrNotDataset: the directory holds something else, or nothing.
	ErrNotDataset = errors.New("not a dataset")
	// ErrNotForTasks: only a run that has the dataset for itself can do this.
	ErrNotForTasks = errors.New("not for tasks that share a dataset")
	// ErrNoSpace: the disk is full, or would soon be; with more room the same call
	// resumes.
	ErrNoSpace = errors.New("not enough space on the disk")
	// ErrUnfinished: games of the dataset that is read from are still to be made.
	ErrUnfinished = errors.New("not finished")
)

// Types of errors that the packages below return too.
type (
	FileError = fault.FileError // a file of the dataset
	LockError = disk.LockError  // names the process that holds the lock
)

// A PlanError tells in what a dataset's plan differs from the one asked for.
type PlanError struct {
	Dir         string
	Differences []string // "field is there, not asked for"
}

func (e *PlanError) Error() string {
	return fmt.Sprintf("open %s: %v: %s", e.Dir, ErrPlanMismatch, strings.Join(e.Differences, "; "))
}

func (e *PlanError) Unwrap() error { return ErrPlanMismatch }

// A ShardError is a failure inside one shard.
type ShardError struct {
	Op    string // make, read, verify
	Shard int
	Err   error
}

func (e *ShardError) Error() string { return fmt.Sprintf("%s shard %05d: %v", e.Op, e.Shard, e.Err) }

func (e *ShardError) Unwrap() error { return e.Err }
