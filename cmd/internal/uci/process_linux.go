package uci

import (
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"
)

// bind makes the kernel kill the engine when this process dies. A process group of its own
// keeps the signals of a terminal away from the engine, so that this process can report why
// it stops.
func bind(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, Setpgid: true}
}

// signalKill kills the engine and its descendants.
func (p *process) signalKill() error { return syscall.Kill(-p.cmd.Process.Pid, syscall.SIGKILL) }

// cpuTime returns the CPU time of the engine in nanoseconds, user and system, all threads.
// The clock of another process has the complement of its number above the bits of the kind
// of clock, see clock_getcpuclockid.
func (p *process) cpuTime() int64 {
	const scheduled = 2 // CPUCLOCK_SCHED
	var t unix.Timespec
	if err := unix.ClockGettime(int32(^p.cmd.Process.Pid<<3|scheduled), &t); err != nil {
		return 0
	}
	return t.Nano()
}
