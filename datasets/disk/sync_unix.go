//go:build unix

package disk

import (
	"errors"
	"os"
	"syscall"
)

// noFollow makes an open of a link fail.
const noFollow = syscall.O_NOFOLLOW

// syncDir makes the names in a directory survive a power cut. File systems that
// cannot sync a directory say EINVAL; they order names by themselves.
func syncDir(name string) error {
	d, err := os.Open(name)
	if err != nil {
		return err
	}
	err = d.Sync()
	if errors.Is(err, syscall.EINVAL) {
		err = nil
	}
	return errors.Join(err, d.Close())
}
