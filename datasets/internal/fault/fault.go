// Package fault defines the errors that package datasets and the packages below it
// share. Package datasets exports them under the same names.
package fault

import (
	"errors"
	"fmt"
)

// Errors that callers tell apart with errors.Is.
var (
	// ErrCorrupt: bytes on disk are not what was committed.
	ErrCorrupt = errors.New("corrupt")
	// ErrNondeterminism: the same shard of the same plan came out differently.
	ErrNondeterminism = errors.New("not deterministic")
	// ErrUnsupported: another version of the program wrote the data, or the plan names an
	// unknown feature.
	ErrUnsupported = errors.New("not supported")
	// ErrNotDataset: the directory is empty or holds something else.
	ErrNotDataset = errors.New("not a dataset")
	// ErrIncomplete: the run was stopped before the target. The same call resumes it.
	ErrIncomplete = errors.New("stopped before the target")
	// ErrUnanswered is the ErrIncomplete of a run that failed because a model or an engine gives no answers.
	ErrUnanswered = fmt.Errorf("%w", ErrIncomplete)
)

// A FileError is a failure of one file of a dataset.
type FileError struct {
	Op   string // write, check, read
	Path string // relative to the dataset
	Err  error
}

func (e *FileError) Error() string { return fmt.Sprintf("%s %s: %v", e.Op, e.Path, e.Err) }

func (e *FileError) Unwrap() error { return e.Err }

// A ShardError is a failure inside one shard.
type ShardError struct {
	Op    string // make, read, verify
	Shard int
	Err   error
}

func (e *ShardError) Error() string { return fmt.Sprintf("%s shard %05d: %v", e.Op, e.Shard, e.Err) }

func (e *ShardError) Unwrap() error { return e.Err }

// Corrupt returns an error that is ErrCorrupt and says what is wrong.
func Corrupt(format string, args ...any) error {
	return fmt.Errorf("%w: %w", ErrCorrupt, fmt.Errorf(format, args...))
}

// RecoverCorrupt turns a panic of a decoder into ErrCorrupt; call it with defer. The
// decoders of Arrow and Thrift index into their input and panic on damaged data. Check
// invariants of this project outside its reach: their panics must not be recovered.
func RecoverCorrupt(err *error) {
	if r := recover(); r != nil {
		*err = Corrupt("decode: %v", r)
	}
}
