//go:build !linux

package main

import "time"

var started = time.Now()

// threadTime returns the time since the start in nanoseconds: an upper bound of the CPU
// time of the thread, which the standard library does not tell here.
func threadTime() int64 { return int64(time.Since(started)) }
