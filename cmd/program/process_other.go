//go:build !unix

package program

import (
	"os"
	"runtime"
	"time"
)

// processTime returns an upper bound of the CPU time of this process: that of all processors since the start.
func processTime() time.Duration { return time.Since(started) * time.Duration(runtime.GOMAXPROCS(0)) }

// unsignalled returns stderr: writes raise no signals here.
func unsignalled() *os.File { return os.Stderr }
