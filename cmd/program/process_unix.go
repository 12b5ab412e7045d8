//go:build unix

package program

import (
	"os"
	"syscall"
	"time"
)

// processTime returns the CPU time of this process and of the children that it has waited for.
func processTime() (sum time.Duration) {
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var u syscall.Rusage
		if syscall.Getrusage(who, &u) == nil {
			sum += time.Duration(u.Utime.Nano() + u.Stime.Nano())
		}
	}
	return sum
}

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
