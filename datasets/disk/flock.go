package disk

import (
	"errors"
	"fmt"
	"os"
	"syscall"

	"github.com/gofrs/flock"
)

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
