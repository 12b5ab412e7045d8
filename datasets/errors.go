package datasets

import (
	"errors"
	"fmt"
	"strings"
)

// The decisions a caller can take. Everything else is a plain failure.
var (
	// ErrPlanMismatch: the directory holds a dataset of another plan.
	ErrPlanMismatch = errors.New("dataset has another plan")
	// ErrLocked: another process is making this dataset.
	ErrLocked = errors.New("dataset is locked")
	// ErrCorrupt: bytes on disk are not what was committed. Never a panic.
	ErrCorrupt = errors.New("corrupt")
	// ErrNondeterminism: the same shard of the same plan came out differently.
	ErrNondeterminism = errors.New("not deterministic")
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
	// ErrUnsupported: a newer program wrote this, or the plan asks for what does
	// not exist.
	ErrUnsupported = errors.New("not supported")
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

// A LockError names the process that holds a dataset.
type LockError struct{ Holder Holder }

func (e *LockError) Error() string {
	if e.Holder.PID == 0 {
		return ErrLocked.Error() + " by a process that is just starting or ending"
	}
	return fmt.Sprintf("%v by process %d on %s", ErrLocked, e.Holder.PID, e.Holder.Host)
}

func (e *LockError) Unwrap() error { return ErrLocked }

// A ShardError is a failure inside one shard.
type ShardError struct {
	Op    string // make, read, verify
	Shard int
	Err   error
}

func (e *ShardError) Error() string { return fmt.Sprintf("%s shard %05d: %v", e.Op, e.Shard, e.Err) }

func (e *ShardError) Unwrap() error { return e.Err }

// A FileError is a failure of one file of a dataset.
type FileError struct {
	Op   string // write, check, read
	Path string // inside the dataset
	Err  error
}

func (e *FileError) Error() string { return fmt.Sprintf("%s %s: %v", e.Op, e.Path, e.Err) }

func (e *FileError) Unwrap() error { return e.Err }

// corrupt returns an error that is ErrCorrupt and says what is wrong.
func corrupt(format string, args ...any) error {
	return fmt.Errorf("%w: %w", ErrCorrupt, fmt.Errorf(format, args...))
}

// recoverCorrupt turns a panic of a decoder into ErrCorrupt. The decoders of
// Arrow and Thrift index into what they read; on damaged input they panic where
// they should return. Our own invariants are checked outside its reach.
func recoverCorrupt(err *error) {
	if r := recover(); r != nil {
		*err = corrupt("decode: %v", r)
	}
}
