package app

import (
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"sync"
	"syscall"
)

// errStderrClosed is the cause of a stop because nothing reads stderr any more.
var errStderrClosed = errors.New("nothing reads stderr any more")

// openStderr returns the stderr of the process for logs and errors. If it is a pipe whose
// reader has ended, as in `selfplay run 2>&1 | head`, the next line does not kill the
// process. It calls stop, as a signal does, and the command ends in order.
func openStderr(stop context.CancelCauseFunc) io.Writer {
	if info, err := os.Stderr.Stat(); err != nil || info.Mode()&os.ModeCharDevice != 0 {
		return os.Stderr // a terminal; when it closes, SIGHUP stops the command
	}
	return &stderrPipe{unsignalled(), sync.OnceFunc(func() {
		signal.Ignore(syscall.SIGPIPE) // stdout may be the same pipe: keep the exit code of the stop
		stop(errStderrClosed)
	})}
}

// stderrPipe is stderr that is no terminal.
type stderrPipe struct {
	w      io.Writer
	closed func() // called after the first write to a pipe without a reader
}

func (p *stderrPipe) Write(data []byte) (int, error) {
	n, err := p.w.Write(data)
	if errors.Is(err, syscall.EPIPE) {
		p.closed()
	}
	return n, err
}
