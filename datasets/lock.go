package datasets

import (
	"fmt"
	"os"
)

// lock is the right to write to a dataset. One process has it alone, or several
// tasks share it. It dies with the process, so there are no stale locks.
type lock struct {
	f     *os.File
	claim *claim
}

// acquire takes the lock of a dataset at once or returns a *LockError that names who
// has it.
func acquire(d dir, shared bool) (*lock, error) {
	f, err := os.OpenFile(d.path(lockName), os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, fmt.Errorf("open lock: %w", err)
	}
	held, err := flock(f, shared)
	if err == nil && !held {
		err = &LockError{findHolder(d)}
	}
	var c *claim
	if err == nil {
		c, err = newClaim(d)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return &lock{f, c}, nil
}

// release gives the lock back. The file stays: removing it would let two
// processes lock two files of one name.
func (l *lock) release() {
	l.claim.release()
	l.f.Close()
}
