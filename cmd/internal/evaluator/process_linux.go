package evaluator

import (
	"os/exec"
	"syscall"
)

// bind makes the kernel kill the child when this process dies. A process group of its own keeps the
// signals of a terminal away from it: a run that is stopped still needs its answers.
func bind(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, Setpgid: true}
}

// kill kills the child and its descendants.
func (p *process) kill() error { return syscall.Kill(-p.cmd.Process.Pid, syscall.SIGKILL) }
