package disk

import (
	"errors"
	"fmt"

	"github.com/gofrs/flock"
)

// ErrLocked means that another process writes to the dataset or the output.
var ErrLocked = errors.New("dataset is locked")

// A LockError names the process that holds the lock of a dataset.
type LockError struct{ Holder Holder }

func (e *LockError) Error() string {
	if e.Holder.PID == 0 {
		return ErrLocked.Error() + " by a process that is starting or ending"
	}
	return fmt.Sprintf("%v by process %d on %s", ErrLocked, e.Holder.PID, e.Holder.Host)
}

func (e *LockError) Unwrap() error { return ErrLocked }

// Lock is the right to write to a dataset, together with a lease.
type Lock struct {
	file  *flock.Flock
	lease *Lease
}

// Acquire locks a dataset, exclusively or shared with other tasks, without waiting. If
// another process holds the lock, the error is a *LockError.
func Acquire(d Dir, shared bool) (*Lock, error) {
	file := newCreatingFlock(d.Path(LockName))
	try := file.TryLock
	if shared {
		try = file.TryRLock
	}
	held, err := tryLock(file, try)
	switch {
	case err != nil:
		err = fmt.Errorf("lock %s: %w", d.Root, err)
	case !held:
		err = &LockError{findHolder(d)}
	default:
		var l *Lease
		if l, err = NewLease(d); err == nil {
			return &Lock{file, l}, nil
		}
	}
	file.Close()
	return nil, err
}

// Owner returns the owner of the lease, for Dir.Owner.
func (l *Lock) Owner() string { return l.lease.owner }

// Release gives up lock and lease. The lock file stays: if it were removed, two processes
// could lock two files of the same name.
func (l *Lock) Release() {
	l.lease.Release()
	l.file.Close()
}
