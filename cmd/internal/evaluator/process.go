package evaluator

import (
	"context"
	"io"
	"os"
	"os/exec"
	"time"

	"selfplay/internal/goroutine"
)

// process is an evaluator as a child. Reads and writes are those of its standard output and input.
type process struct {
	io.ReadCloser
	in     io.WriteCloser
	cmd    *exec.Cmd
	exited chan struct{} // closed after the child has exited
	guard  func()        // ends the guard of its descendants
}

// grace is how long a child may take to exit after its input has ended.
const grace = 2 * time.Second

// startProcess starts a command. What it writes to stderr goes to log.
func startProcess(ctx context.Context, command []string, log io.Writer) (*process, error) {
	p := &process{cmd: exec.CommandContext(ctx, command[0], command[1:]...), exited: make(chan struct{})}
	p.cmd.Stderr = log
	p.cmd.Cancel = p.kill
	p.cmd.WaitDelay = grace // for descendants that keep its pipes open
	bind(p.cmd)
	var err error
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	// A pipe of its own: Wait closes the one of StdoutPipe, maybe before the last bytes are read.
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	p.ReadCloser, p.cmd.Stdout = r, w
	err = p.cmd.Start()
	_ = w.Close() // the child has its own copy
	if err != nil {
		_ = r.Close() // nothing is in it
		return nil, err
	}
	p.guard = guardGroup(p.cmd.Process.Pid)
	goroutine.New().Go(func() error {
		defer close(p.exited)
		return p.cmd.Wait()
	})
	return p, nil
}

func (p *process) Write(b []byte) (int, error) { return p.in.Write(b) }

// Close kills the child.
func (p *process) Close() error {
	_ = p.kill()     // it may have exited
	_ = p.in.Close() // so may its input
	err := p.ReadCloser.Close()
	p.await(2 * grace) // longer than for descendants
	p.guard()
	return err
}

// await waits until the child has exited, but not longer than a time: a hung driver may keep even a killed one.
func (p *process) await(most time.Duration) {
	select {
	case <-p.exited:
	case <-time.After(most):
	}
}

// finish ends the child by the end of its input, or kills it if it does not exit soon.
func (p *process) finish() {
	_ = p.in.Close() // it may have exited
	p.await(grace)
}
