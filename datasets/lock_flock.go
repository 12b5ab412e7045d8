//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package datasets

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

// haveFlock tells whether a lock says anything about other processes.
const haveFlock = true

// flock tries to lock f against every other open file of the same name, or only
// against those that do not share.
func flock(f *os.File, shared bool) (held bool, err error) {
	how := syscall.LOCK_EX
	if shared {
		how = syscall.LOCK_SH
	}
	for {
		err = syscall.Flock(int(f.Fd()), how|syscall.LOCK_NB)
		switch {
		case err == nil:
			return true, nil
		case errors.Is(err, syscall.EWOULDBLOCK):
			return false, nil
		case !errors.Is(err, syscall.EINTR):
			return false, fmt.Errorf("take lock: %w", err)
		}
	}
}
