package disk

import (
	"errors"
	"fmt"
	"os"
	"syscall"

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

// newFlock returns a lock on a file that exists, not locked.
func newFlock(name string) *flock.Flock {
	return flock.New(name, flock.SetFlag(os.O_RDWR|noFollow))
}

// newCreatingFlock returns a lock on a file that locking creates, not locked.
func newCreatingFlock(name string) *flock.Flock {
	return flock.New(name, flock.SetFlag(os.O_RDWR|os.O_CREATE|noFollow), flock.SetPermissions(0o644))
}

// tryLock locks a file with try, which is a method of it. It does not follow a link in the
// place of the file.
func tryLock(file *flock.Flock, try func() (bool, error)) (bool, error) {
	if err := checkOwn(file.Path()); err != nil {
		return false, err
	}
	held, err := try()
	return held, explainLock(err)
}

// explainLock adds to the error of a file system without locks what to do.
func explainLock(err error) error {
	if errors.Is(err, errors.ErrUnsupported) || errors.Is(err, syscall.ENOLCK) {
		return fmt.Errorf("%w: this file system cannot lock files; use one that can, such as a local disk, "+
			"and give each task a directory of its own there", err)
	}
	return err
}

// isNamed reports whether a locked file still has its name.
func isNamed(file *flock.Flock) bool {
	locked, err := file.Stat()
	if err != nil {
		return false
	}
	named, err := os.Lstat(file.Path())
	return err == nil && os.SameFile(locked, named)
}

// TryLockFile locks a file until unlock is called, and creates it if it does not exist. It never
// waits: held is false if another process has the lock.
func TryLockFile(name string) (unlock func() error, held bool, err error) {
	file := newCreatingFlock(name)
	if held, err = tryLock(file, file.TryLock); err != nil || !held {
		return nil, false, errors.Join(err, file.Close())
	}
	return file.Close, true, nil
}
