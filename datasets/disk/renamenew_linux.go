package disk

import (
	"errors"

	"golang.org/x/sys/unix"
)

func renameNew(old, name string) error {
	err := unix.Renameat2(unix.AT_FDCWD, old, unix.AT_FDCWD, name, unix.RENAME_NOREPLACE)
	if errors.Is(err, unix.EINVAL) {
		return errors.ErrUnsupported // the answer of file systems that do not know the flag
	}
	return err
}
