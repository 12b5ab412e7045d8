//go:build !linux

package program

import (
	"time"
)

// systemMemory returns 0, unknown: there is no portable figure of free memory.
func systemMemory() uint64 { return 0 }

// threadClock names the clock of threadTime.
const threadClock = "wall"

var started = time.Now()

// threadTime returns the time since the start in nanoseconds. The standard library does not
// tell the CPU time of a thread on this system; the elapsed time is an upper bound.
func threadTime() int64 { return int64(time.Since(started)) }
