package datasets

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"selfplay/datasets/disk"
	"selfplay/datasets/internal/fault"
	"selfplay/datasets/plan"
	"selfplay/datasets/record"
)

// Errors that callers tell apart with errors.Is. Every other error is a plain failure.
var (
	// ErrCorrupt: bytes on disk are not what was committed. Damaged data never causes a panic.
	ErrCorrupt = fault.ErrCorrupt
	// ErrUnsupported: another version of the program wrote the data, or the plan names an unknown feature.
	ErrUnsupported = fault.ErrUnsupported
	// ErrNondeterminism: the same shard of the same plan came out differently.
	ErrNondeterminism = fault.ErrNondeterminism
	// ErrLocked: another process writes to the dataset.
	ErrLocked = disk.ErrLocked
	// ErrPlanMismatch: the directory holds a dataset of another plan.
	ErrPlanMismatch = errors.New("dataset has another plan")
	// ErrIncomplete: the run was stopped before the target. The same call resumes it.
	ErrIncomplete = fault.ErrIncomplete
	// ErrUnanswered is the ErrIncomplete of a run that failed because a model or an engine gives no answers.
	ErrUnanswered = fault.ErrUnanswered
	// ErrNotDataset: the directory is empty or holds something else.
	ErrNotDataset = fault.ErrNotDataset
	// ErrNotForTasks: the operation needs the exclusive lock, which a task does not have.
	ErrNotForTasks = errors.New("not for tasks that share a dataset")
	// ErrNoSpace: the disk is full or almost full. The same call resumes once there is
	// more space.
	ErrNoSpace = errors.New("not enough space on the disk")
	// ErrNoRecords: the dataset has data files, but was copied without .selfplay/.
	ErrNoRecords = errors.New("data files without .selfplay/")
	// ErrUnfinished: the dataset lacks games of its target.
	ErrUnfinished = errors.New("not finished")
)

// FileError is a failure of one file of the dataset. The packages below return it too.
type FileError = fault.FileError

// LockError names the process that holds the lock of the dataset.
type LockError = disk.LockError

// A PlanError says how the plan of a dataset differs from the requested one.
type PlanError struct {
	Dir         string
	Differences []plan.Difference
	Build       string    // the program that made the dataset
	Found       plan.Plan // of the dataset
}

func (e *PlanError) Error() string {
	var list []string
	for _, d := range e.Differences {
		list = append(list, d.String())
	}
	text := fmt.Sprintf("open %s: %v: %s", e.Dir, ErrPlanMismatch, strings.Join(list, "; "))
	if !slices.ContainsFunc(e.Differences, func(d plan.Difference) bool { return !d.Version }) {
		text += "; only a program with these versions continues the dataset: " + e.Build
	}
	return text
}

// NewPlanError returns the error for a dataset in d, of which found is the plan, where p was wanted.
func NewPlanError(d disk.Dir, found *plan.File, p plan.Plan) *PlanError {
	e := &PlanError{Dir: d.String(), Differences: found.Plan.Diff(p), Build: "that which made it", Found: found.Plan}
	for c, err := range record.Each(d, found) {
		if err == nil {
			e.Build = c.Build
		}
		break
	}
	return e
}

func (e *PlanError) Unwrap() error { return ErrPlanMismatch }

// ShardError is a failure inside one shard.
type ShardError = fault.ShardError
