package program

import "golang.org/x/sys/unix"

// threadClock names the clock of threadTime.
const threadClock = "cpu"

// threadTime returns the CPU time of the calling thread in nanoseconds.
func threadTime() int64 {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t); err != nil {
		return 0
	}
	return t.Nano()
}
