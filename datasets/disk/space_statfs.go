//go:build darwin || linux

package disk

import "syscall"

// Space returns how many bytes of the disk of a directory are free for this user, and
// how many it has.
func Space(name string) (free, total uint64, ok bool) {
	var s syscall.Statfs_t
	if err := syscall.Statfs(name, &s); err != nil || s.Blocks == 0 {
		return 0, 0, false
	}
	return s.Bavail * uint64(s.Bsize), s.Blocks * uint64(s.Bsize), true
}
