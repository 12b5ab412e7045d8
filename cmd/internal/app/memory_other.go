//go:build !linux

package app

// systemMemory returns 0, unknown: there is no portable figure of free memory.
func systemMemory() uint64 { return 0 }
