//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package datasets

import (
	"errors"
	"os"
	"syscall"
)

// flock tries to lock f against every other open file of the same name.
func flock(f *os.File) (held bool, err error) {
	for {
		err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		switch {
		case err == nil:
			return true, nil
		case errors.Is(err, syscall.EWOULDBLOCK):
			return false, nil
		case !errors.Is(err, syscall.EINTR):
			return false, err
		}
	}
}
