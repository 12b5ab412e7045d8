//go:build unix

package app

import (
	"os"
	"syscall"
)

// unsignalled returns stderr under another descriptor. A write to a pipe without a reader
// kills a Go program only under the descriptors 1 and 2; under others it fails with EPIPE.
func unsignalled() *os.File {
	fd, err := syscall.Dup(syscall.Stderr)
	if err != nil {
		return os.Stderr
	}
	syscall.CloseOnExec(fd)
	return os.NewFile(uintptr(fd), os.Stderr.Name())
}
