//go:build !linux

package uci

import (
	"os/exec"
	"time"
)

// bind does nothing: on this system an engine ends because its input ends.
func bind(*exec.Cmd) {}

// signalKill kills the engine.
func (p *process) signalKill() error { return p.cmd.Process.Kill() }

var started = time.Now()

// cpuTime returns the time since the start in nanoseconds. The standard library does not
// tell the CPU time of a running process on this system; the elapsed time is an upper bound.
func (p *process) cpuTime() int64 { return int64(time.Since(started)) }
