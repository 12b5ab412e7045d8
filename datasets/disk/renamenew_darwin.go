package disk

import "golang.org/x/sys/unix"

func renameNew(old, name string) error { return unix.RenamexNp(old, name, unix.RENAME_EXCL) }
