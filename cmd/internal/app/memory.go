package app

import (
	"os"
	"path"
	"runtime/debug"
	"strconv"
	"strings"
)

// LimitMemory tells the garbage collector how much memory the process may have: nine
// tenths of what its cgroup allows, unless GOMEMLIMIT says something else. Without it
// a container is killed for garbage.
func LimitMemory() {
	if os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	if limit, ok := cgroupLimit(os.ReadFile); ok {
		debug.SetMemoryLimit(limit / 10 * 9)
	}
}

// cgroupLimit returns the tightest memory.max from the cgroup of the process up to
// the root, or the limit of version 1 where that is in use. There is none outside
// Linux.
func cgroupLimit(read func(name string) ([]byte, error)) (limit int64, ok bool) {
	const root = "/sys/fs/cgroup"
	data, err := read("/proc/self/cgroup")
	if err != nil {
		return 0, false
	}
	var files []string
	for line := range strings.Lines(string(data)) {
		fields := strings.SplitN(strings.TrimSpace(line), ":", 3) // number:controllers:path
		if len(fields) < 3 {
			continue
		}
		switch {
		case fields[0] == "0":
			for dir := path.Clean("/" + fields[2]); ; dir = path.Dir(dir) {
				files = append(files, path.Join(root, dir, "memory.max"))
				if dir == "/" {
					break
				}
			}
		case fields[1] == "memory":
			files = append(files, path.Join(root, "memory", fields[2], "memory.limit_in_bytes"),
				path.Join(root, "memory/memory.limit_in_bytes"))
		}
	}
	for _, name := range files {
		data, err := read(name)
		if err != nil {
			continue
		}
		n, err := strconv.ParseInt(strings.TrimSpace(string(data)), 10, 64) // "max" is no number
		if err == nil && n > 0 && (!ok || n < limit) {
			limit, ok = n, true
		}
	}
	return limit, ok
}
