package evaluator

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"selfplay/internal/goroutine"
	"selfplay/workers"
)

// conn is a connection after the handshake. Batches are answered in the order in which they are sent.
type conn struct {
	stream  io.ReadWriteCloser
	welcome Welcome
	timeout time.Duration

	send   sync.Mutex // held while a batch is written, so that the order of waiting is that of sending
	buffer []byte     // of a batch as a frame
	id     uint32     // of the last batch

	mu       sync.Mutex
	waiting  []*exchange
	pending  int       // batches that wait, or whose answer is being read
	progress time.Time // when the oldest of them began to be the oldest
	err      error     // why the connection ended

	count  func(usage)
	opened time.Time
	told   usage // so far
	cores  int   // that the evaluator may use
}

// exchange is a batch in flight.
type exchange struct {
	id    uint32
	batch []*workers.Question
	done  chan error // receives once
}

// inFlight is the number of batches that wait on a connection: one is evaluated, the next one lies in its
// buffers.
const inFlight = 2

// greet makes the handshake. What a program prints before its first frame goes to noise; nothing comes before it from a
// socket, where noise is nil.
func greet(stream io.ReadWriteCloser, h *Hello, noise io.Writer, c *conn) (r *bufio.Reader, err error) {
	if _, err := stream.Write(h.frame()); err != nil {
		return nil, fmt.Errorf("send hello: %w", err)
	}
	const bufferSize = 64 << 10
	r = bufio.NewReaderSize(stream, bufferSize)
	if noise != nil {
		err = skipNoise(r, noise)
	}
	if err != nil {
		return nil, endOf(err, "its first frame")
	}
	kind, length, err := readHeader(r)
	if err != nil {
		return nil, endOf(err, "its first frame")
	}
	if kind == kindError {
		return nil, readRefusal(r, length)
	}
	if kind != kindHello {
		return nil, fmt.Errorf("a frame of kind %d: want a hello", kind)
	}
	body, err := readBody(r, length, maxHello)
	if err != nil {
		return nil, endOf(err, "its hello ended")
	}
	c.welcome, err = h.parseWelcome(body)
	return r, err
}

// endOf says what was missing when the stream ended.
func endOf(err error, before string) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("it ended before %s", before)
	}
	return err
}

// readRefusal reads an error frame.
func readRefusal(r io.Reader, length int) error {
	body, err := readBody(r, length, maxError)
	if err != nil {
		return err
	}
	return parseRefusal(body)
}

// open makes the handshake on a stream within a time and begins to receive answers.
func open(ctx context.Context, stream io.ReadWriteCloser, h *Hello, noise io.Writer, start, timeout time.Duration, cores int, count func(usage)) (*conn, error) {
	c := &conn{stream: stream, timeout: timeout, count: count, opened: time.Now(), cores: cores}
	r, err := greetWithin(ctx, stream, h, noise, c, start)
	if err != nil {
		_ = stream.Close() // err says more
		return nil, err
	}
	goroutine.New().Go(func() error { c.receive(r); return nil })
	return c, nil
}

// greetWithin makes the handshake within a time.
func greetWithin(ctx context.Context, stream io.ReadWriteCloser, h *Hello, noise io.Writer, c *conn, start time.Duration) (*bufio.Reader, error) {
	done := make(chan struct{})
	late, watch := false, goroutine.New()
	watch.Go(func() error {
		timer := time.NewTimer(start)
		defer timer.Stop()
		select {
		case <-done:
			return nil
		case <-ctx.Done():
		case <-timer.C:
			late = true
		}
		return stream.Close() // ends reads and writes
	})
	r, err := greet(stream, h, noise, c)
	close(done)
	_ = watch.Wait() // of a stream that is of no use any more
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case late:
		return nil, fmt.Errorf("no hello within %v", start)
	}
	return r, err
}

// receive takes answers until the connection ends.
func (c *conn) receive(r *bufio.Reader) {
	const looks = 20 // within the timeout
	stop := goroutine.Every(c.timeout/looks, c.timeout/looks, c.checkTime)
	defer func() { _ = stop() }() // it only ends the connection
	var body []byte
	for {
		e, err := c.next(r, &body)
		if err != nil {
			c.end(err)
		}
		if e != nil {
			c.finish(e, explain(err, len(e.batch)))
		}
		if err != nil {
			return
		}
	}
}

// next reads an answer and returns its exchange, if there is one.
func (c *conn) next(r *bufio.Reader, body *[]byte) (*exchange, error) {
	kind, length, err := readHeader(r)
	e := c.oldest() // from here on no one else fails it
	switch {
	case err != nil:
		return e, c.cause(endOf(err, "an answer"))
	case kind == kindError:
		return e, readRefusal(r, length)
	case kind != kindAnswer:
		return e, fmt.Errorf("a frame of kind %d: want an answer", kind)
	case e == nil:
		return nil, errors.New("an answer to no question")
	}
	if err := checkSize(length, e.batch); err != nil {
		return e, err
	}
	if cap(*body) < length {
		*body = make([]byte, length)
	}
	*body = (*body)[:length]
	if _, err := io.ReadFull(r, *body); err != nil {
		return e, c.cause(endOf(err, "the end of an answer"))
	}
	u, err := parseAnswer(*body, e.id, e.batch)
	if err != nil {
		return e, err
	}
	c.count(c.credible(u))
	return e, nil
}

// credible bounds the CPU time of an answer: that of a connection cannot exceed the time since it was opened on each
// processor, and that of the model is a part of it.
func (c *conn) credible(u usage) usage {
	most := uint64(time.Since(c.opened)) * uint64(c.cores)
	u.all = min(u.all, most-c.told.all)
	u.model = min(u.model, u.all)
	c.told.all += u.all
	return u
}

// oldest removes the exchange that is answered next, nil if there is none.
func (c *conn) oldest() *exchange {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.waiting) == 0 {
		return nil
	}
	e := c.waiting[0]
	c.waiting = c.waiting[1:]
	return e
}

// finish ends an exchange.
func (c *conn) finish(e *exchange, err error) {
	c.mu.Lock()
	c.pending, c.progress = c.pending-1, time.Now()
	c.mu.Unlock()
	e.done <- err
}

// cause returns why the connection was ended, or err if the other side ended it.
func (c *conn) cause(err error) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return cmp.Or(c.err, err)
}

// end ends the connection. All exchanges that wait fail.
func (c *conn) end(err error) {
	c.mu.Lock()
	if c.err != nil {
		c.mu.Unlock()
		return
	}
	c.err = err
	waiting := c.waiting
	c.waiting = nil
	c.mu.Unlock()
	_ = c.stream.Close() // the connection is over
	if refused := (*refusal)(nil); errors.As(err, &refused) {
		err = errBehind // the refused batch waits no longer
	}
	for _, e := range waiting {
		e.done <- err
	}
}

// errBehind is the error of a batch behind one that failed.
var errBehind = errors.New("an earlier batch failed")

// ask sends a batch and waits for the answer. At most inFlight goroutines call it at once.
func (c *conn) ask(ctx context.Context, batch []*workers.Question) error {
	e, err := c.post(batch)
	if err != nil {
		return err
	}
	select {
	case err := <-e.done:
		return err
	case <-ctx.Done():
		c.end(context.Cause(ctx))
		<-e.done // the batch belongs to the caller again
		return context.Cause(ctx)
	}
}

// checkTime ends the connection if the oldest batch has waited too long, for the other side to read it or
// to answer.
func (c *conn) checkTime() {
	c.mu.Lock()
	late := c.pending > 0 && time.Since(c.progress) > c.timeout
	c.mu.Unlock()
	if late {
		c.end(fmt.Errorf("no answer within %v", c.timeout))
	}
}

// post sends a batch.
func (c *conn) post(batch []*workers.Question) (*exchange, error) {
	c.send.Lock()
	defer c.send.Unlock()
	c.id++
	e := &exchange{c.id, batch, make(chan error, 1)}
	c.mu.Lock()
	if c.err != nil {
		c.mu.Unlock()
		return nil, c.err
	}
	if c.pending == 0 {
		c.progress = time.Now()
	}
	c.pending++
	c.waiting = append(c.waiting, e)
	c.mu.Unlock()
	c.buffer = appendQuestions(c.buffer[:0], e.id, batch)
	if _, err := c.stream.Write(c.buffer); err != nil {
		c.end(fmt.Errorf("send positions: %w", err))
		return e, nil // done says the same
	}
	return e, nil
}
