package evaluator

import (
	"os"
	"os/exec"
	"strconv"
	"sync"
	"syscall"
)

// bind makes the kernel kill the child when this process dies. A process group of its own keeps the
// signals of a terminal away from it: a run that is stopped still needs its answers.
func bind(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, Setpgid: true}
}

// kill kills the child and its descendants.
func (p *process) kill() error { return syscall.Kill(-p.cmd.Process.Pid, syscall.SIGKILL) }

// guardGroup kills a child and its descendants when this process dies: the kernel kills only the child, and a model
// behind a script that hangs reads no end of its input. The guard is a shell that waits for the end of a pipe. Without a
// shell there is no guard. The result ends it.
func guardGroup(pid int) (end func()) {
	r, w, err := os.Pipe()
	if err != nil {
		return func() {}
	}
	guard := exec.Command("/bin/sh", "-c", "read _; kill -s KILL -- -"+strconv.Itoa(pid))
	guard.Stdin = r
	guard.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // the signals of a terminal must not end it
	err = guard.Start()
	_ = r.Close() // the guard has its own copy
	if err != nil {
		_ = w.Close() // nobody reads it
		return func() {}
	}
	return sync.OnceFunc(func() {
		_ = guard.Process.Kill() // before it sees the end of the pipe
		_ = guard.Wait()         // killed
		_ = w.Close()            // nobody reads it any more
	})
}
