//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package datasets

import "os"

// flock always succeeds: without flock the lock is a note to people. Two
// processes on one dataset still cannot spoil it, since files are published
// create-only and equal bytes make a repeat harmless.
func flock(*os.File) (held bool, err error) { return true, nil }
