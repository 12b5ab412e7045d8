package program

import (
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// systemMemory returns MemAvailable of /proc/meminfo: what programs can take without swapping. It
// counts the page cache, which sysinfo(2) does not. 0 means unknown.
func systemMemory() uint64 {
	text, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return 0
	}
	return memAvailable(string(text))
}

// memAvailable reads the line "MemAvailable:   12345 kB", in which kB are KiB.
func memAvailable(meminfo string) uint64 {
	_, line, _ := strings.Cut(meminfo, "\nMemAvailable:")
	line, _, _ = strings.Cut(line, " kB")
	n, err := strconv.ParseUint(strings.TrimSpace(line), 10, 53)
	if err != nil {
		return 0
	}
	return n << 10
}

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
