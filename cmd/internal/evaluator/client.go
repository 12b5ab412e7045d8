package evaluator

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"selfplay/workers"
)

// Options are the bounds of a client.
type Options struct {
	Start   time.Duration // for the program to load its model and to say hello
	Timeout time.Duration // for the answer to a batch
	Log     io.Writer     // stderr of programs, and what they print before their first frame
	Notify  func(string)  // told of each failure that the client tries to mend; may be nil
}

// maxFailures is the number of failures without an answer between them that end the client.
const maxFailures = 3

// Client evaluates batches by one evaluator. It connects again after a failure and asks the same batch.
type Client struct {
	ctx    context.Context // of programs
	source Source
	hello  Hello
	o      Options

	check    func(context.Context, workers.Evaluator) error // of a new connection; nil before Guard
	mu       sync.Mutex
	conn     *conn // nil after a failure
	welcome  Welcome
	failures int       // without an answer since
	next     time.Time // before which no connection is made

	all, model atomic.Uint64 // nanoseconds
}

var _ workers.Evaluator = (*Client)(nil)

// Connect starts an evaluator or connects to it. It ends by Close: games that a stop lets finish still need
// its answers.
func Connect(ctx context.Context, s Source, h Hello, o Options) (*Client, error) {
	c := &Client{ctx: context.WithoutCancel(ctx), source: s, hello: h, o: o}
	var err error
	for range maxFailures {
		if _, err = c.connection(ctx); err == nil {
			return c, nil
		}
		if s.Network == "" || c.isAway(err) || ctx.Err() != nil { // a program that fails at once fails again
			break
		}
		c.next = time.Now().Add(pause)
	}
	return nil, c.name(err)
}

// Guard makes the client check every later connection before it asks a batch there: check asks the fixed positions
// again. Its error is final if it is ErrOther. Call Guard before several goroutines use the client.
func (c *Client) Guard(check func(ctx context.Context, e workers.Evaluator) error) { c.check = check }

// ErrOther means that an evaluator that was connected to again has another model than before.
var ErrOther = errors.New("it is another model than before")

// name adds the name of the evaluator to an error.
func (c *Client) name(err error) error { return fmt.Errorf("evaluator %s: %w", c.source.Name, err) }

// Welcome returns what the evaluator is.
func (c *Client) Welcome() Welcome {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.welcome
}

// CPU returns the CPU time that the evaluator reported in nanoseconds.
func (c *Client) CPU() int64 { return int64(c.all.Load()) }

// ModelCPU returns the part of CPU that the model itself took.
func (c *Client) ModelCPU() int64 { return int64(c.model.Load()) }

// Close ends the evaluator, or the connection to it.
func (c *Client) Close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.conn == nil {
		return
	}
	if p, ok := c.conn.stream.(*process); ok {
		p.finish()
	}
	c.conn.end(net.ErrClosed)
	c.conn = nil
}

// Evaluate answers a batch. The error is a *workers.WrongAnswer if the model is at fault, else why the
// evaluator is given up.
func (c *Client) Evaluate(ctx context.Context, batch []*workers.Question) error {
	for {
		conn, err := c.connection(ctx)
		if err == nil {
			err = conn.ask(ctx, batch)
		}
		if err == nil {
			c.answered()
			return nil
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if wrong := (*workers.WrongAnswer)(nil); errors.As(err, &wrong) {
			c.drop(conn)
			return &workers.WrongAnswer{Question: wrong.Question, Reason: c.name(errors.New(wrong.Reason)).Error()}
		}
		if errors.Is(err, ErrOther) {
			return c.name(err)
		}
		if err := c.failed(conn, err); err != nil {
			return err
		}
	}
}

// answered counts an answer: earlier failures are forgiven.
func (c *Client) answered() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.failures = 0
}

// drop makes the next batch connect again.
func (c *Client) drop(conn *conn) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.conn == conn {
		c.conn = nil
	}
}

// failed counts the failure of a connection once, however many batches were in flight. It returns an error
// after too many.
func (c *Client) failed(conn *conn, err error) error {
	c.mu.Lock()
	if conn != nil && c.conn != conn {
		c.mu.Unlock()
		return nil // another batch counted it
	}
	c.conn = nil
	c.failures++
	c.next = time.Now().Add(pause)
	failures := c.failures
	c.mu.Unlock()
	if failures >= maxFailures {
		return c.name(fmt.Errorf("%d failures without an answer: %w", failures, err))
	}
	if c.o.Notify != nil {
		c.o.Notify(c.name(fmt.Errorf("%w: asking again", err)).Error())
	}
	return nil
}

// pause is the time between a failure and the next connection. Tests shorten it.
var pause = time.Second

// wait waits until a time. It returns an error if the context ends before.
func wait(ctx context.Context, until time.Time) error {
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-time.After(time.Until(until)):
		return nil
	}
}

// connection returns the connection. It makes one if there is none, after the pause.
func (c *Client) connection(ctx context.Context) (*conn, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.conn != nil {
		return c.conn, nil
	}
	stream, err := c.redial(ctx)
	if err != nil {
		return nil, err
	}
	noise := c.o.Log
	if c.source.Network != "" {
		noise = nil
	}
	conn, err := open(ctx, stream, &c.hello, noise, c.o.Start, c.o.Timeout, c.source.cores(), c.count)
	if err != nil {
		return nil, err
	}
	if err := c.recognise(ctx, conn); err != nil {
		conn.end(net.ErrClosed)
		return nil, err
	}
	c.conn, c.welcome = conn, conn.welcome
	return conn, nil
}

// recognise returns ErrOther if a new connection leads to another model than the ones before.
func (c *Client) recognise(ctx context.Context, conn *conn) error {
	if c.welcome.Batch > 0 && c.welcome != conn.welcome {
		return fmt.Errorf("%w: its hello differs", ErrOther)
	}
	if c.check == nil {
		return nil
	}
	err := c.check(ctx, asked{conn})
	if wrong := (*workers.WrongAnswer)(nil); errors.As(err, &wrong) {
		err = fmt.Errorf("%w: %s", ErrOther, wrong.Reason) // the question is none of the batch that waits
	}
	return err
}

// asked is a connection as an evaluator.
type asked struct{ conn *conn }

func (a asked) Evaluate(ctx context.Context, batch []*workers.Question) error {
	return a.conn.ask(ctx, batch)
}

func (asked) CPU() int64 { return 0 } // the client counts it

// redial is dial after a pause. A server has as much time to listen as a program has to start: it may begin after this
// one, or restart.
func (c *Client) redial(ctx context.Context) (io.ReadWriteCloser, error) {
	first := c.welcome.Batch == 0
	for last := time.Now().Add(c.o.Start); ; c.next = time.Now().Add(pause) {
		if err := wait(ctx, c.next); err != nil {
			return nil, err
		}
		stream, err := c.dial(ctx)
		if err == nil || !c.isAway(err) || time.Now().After(last) {
			return stream, err
		}
		if first && c.o.Notify != nil {
			c.o.Notify(c.name(fmt.Errorf("%w: waiting for it, %v at most", err, c.o.Start)).Error())
		}
		first = false
	}
}

// isAway reports whether nothing listens at the address of a server.
func (c *Client) isAway(err error) bool {
	var dial *net.OpError
	return c.source.Network != "" && errors.As(err, &dial) && dial.Op == "dial"
}

// dial starts the program or connects to the socket.
func (c *Client) dial(ctx context.Context) (io.ReadWriteCloser, error) {
	if c.source.Network == "" {
		return startProcess(c.ctx, c.source.Command, c.o.Log)
	}
	d := net.Dialer{Timeout: c.o.Start}
	return d.DialContext(ctx, c.source.Network, c.source.Address)
}

func (c *Client) count(u usage) {
	c.all.Add(u.all)
	c.model.Add(u.model)
}
