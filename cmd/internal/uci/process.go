package uci

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
	"time"

	"selfplay/internal/goroutine"
)

// maxLine bounds a line of either side. The longest are positions with all their moves.
const maxLine = 1 << 20

// process is a running engine. One goroutine owns it.
type process struct {
	ctx     context.Context // kills the engine
	cmd     *exec.Cmd
	in      io.WriteCloser
	out     io.ReadCloser
	timeout time.Duration
	aborted func() bool   // ends a wait early, with the error errAborted; nil for never
	lines   chan string   // of the engine, closed at their end
	unread  chan struct{} // closed when no line is received any more
	exited  chan struct{} // closed after the engine has exited
	err     error         // why there are no more lines; valid once exited is closed
	log     tail          // what the engine wrote to stderr
}

// start starts an engine.
func start(ctx context.Context, s *spec) (*process, error) {
	p := &process{
		ctx: ctx, cmd: exec.CommandContext(ctx, s.path, s.args...), timeout: cmp.Or(s.timeout, defaultTimeout),
		lines: make(chan string), unread: make(chan struct{}), exited: make(chan struct{}),
	}
	p.cmd.Stderr = &p.log
	p.cmd.WaitDelay = time.Second // for descendants that keep its pipes open
	p.cmd.Cancel = p.signalKill
	bind(p.cmd)
	var err error
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	if p.out, err = p.cmd.StdoutPipe(); err != nil {
		return nil, err
	}
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	goroutine.New().Go(p.read)
	return p, nil
}

// read receives lines until their end and waits for the exit of the engine.
func (p *process) read() error {
	defer close(p.exited)
	lines := bufio.NewScanner(p.out)
	lines.Buffer(nil, maxLine)
	for lines.Scan() {
		select {
		case p.lines <- strings.TrimRight(lines.Text(), "\r"):
		case <-p.unread:
		}
	}
	if p.err = lines.Err(); p.err != nil {
		_ = p.signalKill() // it may have exited
	}
	close(p.lines)
	p.err = errors.Join(p.err, p.cmd.Wait())
	return nil
}

// send sends lines.
func (p *process) send(lines ...string) error {
	if d, ok := p.in.(interface{ SetWriteDeadline(time.Time) error }); ok {
		_ = d.SetWriteDeadline(time.Now().Add(p.timeout)) // not supported on every system
	}
	_, err := io.WriteString(p.in, strings.Join(lines, "\n")+"\n")
	if err != nil {
		return p.failure(fmt.Errorf("send %q: %w", lines[0], err), grace)
	}
	return nil
}

// receive passes lines to f until f returns true. want names the line to wait for.
func (p *process) receive(want string, f func(line string) bool) error {
	timer := time.NewTimer(p.timeout)
	defer timer.Stop()
	look := time.NewTicker(abortInterval)
	defer look.Stop()
	for {
		select {
		case line, ok := <-p.lines:
			if !ok {
				return p.failure(fmt.Errorf("it exited before %s", want), grace)
			}
			if f(line) {
				return nil
			}
		case <-timer.C:
			return p.failure(fmt.Errorf("no %s within %v", want, p.timeout), 0)
		case <-look.C:
			if p.aborted != nil && p.aborted() {
				return errAborted
			}
		case <-p.ctx.Done():
			return context.Cause(p.ctx)
		}
	}
}

// abortInterval is the time between two looks whether a wait is to end early.
const abortInterval = 20 * time.Millisecond

// errAborted means that the game does not wait for the engine any more.
var errAborted = errors.New("the search was aborted")

// failure adds to an error how the engine exited, if it does so within some time, and the
// last line of its stderr.
func (p *process) failure(err error, wait time.Duration) error {
	if p.ctx.Err() != nil {
		return context.Cause(p.ctx)
	}
	select {
	case <-p.exited:
		if p.err != nil {
			err = fmt.Errorf("%w: %w", err, p.err)
		}
	case <-time.After(wait):
	}
	if text := p.log.lastLine(); text != "" {
		err = fmt.Errorf("%w (stderr: %s)", err, text)
	}
	return err
}

// grace is how long an engine may take to exit.
const grace = time.Second

// close ends the engine and waits for it.
func (p *process) close() {
	close(p.unread)
	p.timeout = grace
	_ = p.send("quit") // it may have exited
	_ = p.in.Close()
	if !p.await() {
		_ = p.signalKill()
		_ = p.out.Close() // a descendant may keep it open
		p.await()         // not long: a hung driver may keep even a killed engine
	}
}

// await reports whether the engine exits within grace.
func (p *process) await() bool {
	select {
	case <-p.exited:
		return true
	case <-time.After(grace):
		return false
	}
}

// tail keeps the last bytes that are written to it.
type tail struct {
	mu   sync.Mutex
	text []byte
}

const tailSize = 4096

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, b...)
	t.text = t.text[max(0, len(t.text)-tailSize):]
	return len(b), nil
}

func (t *tail) lastLine() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	lines := bytes.Split(bytes.TrimSpace(t.text), []byte("\n"))
	return string(bytes.TrimSpace(lines[len(lines)-1]))
}
