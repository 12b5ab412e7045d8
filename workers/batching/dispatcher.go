package batching

import (
	"context"
	"errors"
	"slices"
	"sync"

	"selfplay/internal/goroutine"
)

// Dispatcher collects the questions of the games of a pool in batches. A nil Dispatcher is that of a
// pool without models: nobody asks it anything.
type Dispatcher struct {
	mu       sync.Mutex
	running  int // games that compute; the others wait for answers or for a worker
	idle     int // workers without a game
	handed   int // games handed out that no worker has taken yet
	offering int // calls of Play that have a game to hand out
	queues   []*queue
	err      error // why no questions are answered any more

	wake   chan struct{} // of AwaitIdle
	failed chan struct{} // closed when err is set
	ctx    context.Context
	cancel context.CancelFunc
	group  goroutine.Group
}

// queue holds the questions to one model.
type queue struct {
	model   *Model
	waiting []*Question // not sent yet
	lines   []*line     // one per evaluator
	counts  Counts

	inFlight uint64 // batches that are not answered
}

// line is an evaluator with the batches that are on their way to it.
type line struct {
	evaluator Evaluator
	usedCPU   int64 // of the evaluator before
	flying    int
	busy      stopwatch // of the time in which flying is positive
	batches   chan []*Question
}

// InFlight is the number of batches sent to an evaluator before it answers: one that it evaluates,
// and one that is on its way.
const InFlight = 2

// NewDispatcher returns the dispatcher of different models, nil if there are none. The caller must
// call Close when no game asks any more.
func NewDispatcher(models []*Model) *Dispatcher {
	if len(models) == 0 {
		return nil
	}
	d := &Dispatcher{wake: make(chan struct{}, 1), failed: make(chan struct{}), group: goroutine.New()}
	d.ctx, d.cancel = context.WithCancel(context.Background())
	for _, m := range models {
		q := &queue{model: m}
		for _, e := range m.Evaluators {
			l := &line{evaluator: e, usedCPU: e.CPU(), batches: make(chan []*Question, InFlight)}
			q.lines = append(q.lines, l)
			for range InFlight {
				d.group.Go(func() error { return d.serve(q, l) })
			}
		}
		d.queues = append(d.queues, q)
	}
	return d
}

// Close ends the goroutines. No game may wait any more.
func (d *Dispatcher) Close() {
	if d == nil {
		return
	}
	d.cancel()
	for _, q := range d.queues {
		for _, l := range q.lines {
			close(l.batches)
		}
	}
	_ = d.group.Wait() // errors belong to games
}

// Offer says whether a call of Play has a game to hand out now. One that waits for its first game to end,
// because it holds so many later ones, has none. Calls alternate between true and false.
func (d *Dispatcher) Offer(has bool) {
	if d == nil {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if has {
		d.offering++
		return
	}
	d.offering--
	d.wakeIfIdle()
}

// HandOut counts a game that is on its way to a worker.
func (d *Dispatcher) HandOut() {
	if d == nil {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.handed++
}

// Take counts a game that a worker takes. wasIdle: it had no game before.
func (d *Dispatcher) Take(wasIdle bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.handed--
	if wasIdle {
		d.idle--
		d.running++
	}
}

// Rest counts a worker without a game.
func (d *Dispatcher) Rest(wasRunning bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.idle == 0 {
		d.measureFull()
	}
	d.idle++
	d.wakeIfIdle()
	if wasRunning {
		d.running--
		d.dispatch()
	}
}

// AwaitIdle waits until a worker has no game and no Play has one for it. It returns false when ctx ends.
// Without a model it returns only then. One goroutine may wait at a time.
func (d *Dispatcher) AwaitIdle(ctx context.Context) bool {
	if d == nil {
		<-ctx.Done()
		return false
	}
	for !d.hasIdle() {
		select {
		case <-ctx.Done():
			return false
		case <-d.wake:
		}
	}
	return ctx.Err() == nil
}

func (d *Dispatcher) hasIdle() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.isIdle()
}

// isIdle reports whether a worker has no game, and will get none. The caller holds the lock.
func (d *Dispatcher) isIdle() bool { return d.idle > max(d.handed, 0) && d.offering == 0 }

// wakeIfIdle wakes AwaitIdle, which looks again. The caller holds the lock.
func (d *Dispatcher) wakeIfIdle() {
	if !d.isIdle() {
		return
	}
	select {
	case d.wake <- struct{}{}:
	default: // it has been woken
	}
}

// Ask sends a question of a game, which calls Await next. The question is its own again when that returns nil.
func (d *Dispatcher) Ask(m *Model, q *Question) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.err != nil {
		return d.err
	}
	if q.done == nil {
		q.done = make(chan error, 1)
	}
	queue := d.queueOf(m)
	queue.waiting = append(queue.waiting, q)
	d.running--
	if len(queue.waiting) >= m.Batch || d.allWait() {
		d.dispatch()
	}
	return nil
}

// Await waits for the answer to a question that was sent. It returns the cause of ctx's cancellation if
// there is none by then.
func (d *Dispatcher) Await(ctx context.Context, q *Question) error {
	select {
	case err := <-q.done:
		return err
	case <-ctx.Done():
		d.abandon(q)
		err := <-q.done
		if err != nil {
			return context.Cause(ctx)
		}
		return nil
	}
}

// abandon ends the wait of a game for its question.
func (d *Dispatcher) abandon(q *Question) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if q.left || len(q.done) > 0 {
		return // answered already
	}
	for _, queue := range d.queues {
		queue.waiting = slices.DeleteFunc(queue.waiting, func(other *Question) bool { return other == q })
	}
	q.left = true
	d.running++
	q.done <- errLeft
}

// errLeft ends the wait of a game whose context has ended. The game reports the cause.
var errLeft = errors.New("the game waits no longer")

func (d *Dispatcher) queueOf(m *Model) *queue {
	for _, q := range d.queues {
		if q.model == m {
			return q
		}
	}
	panic("batching: a model that the dispatcher does not have")
}

// allWait reports whether every live game waits for an answer. A game that an idle worker is about to take is
// live too.
func (d *Dispatcher) allWait() bool { return d.running == 0 && min(d.idle, d.handed) <= 0 }

// dispatch sends the batches that are to be sent now.
func (d *Dispatcher) dispatch() {
	for _, q := range d.queues {
		for len(q.waiting) >= q.model.Batch && q.send(InFlight) {
			continue
		}
		if d.allWait() && len(q.waiting) > 0 {
			q.send(1)
		}
	}
}

// send sends a batch to the evaluator that has the fewest, if it has fewer than limit.
func (q *queue) send(limit int) bool {
	best := q.lines[0]
	for _, l := range q.lines {
		if l.flying < best.flying {
			best = l
		}
	}
	if best.flying >= limit {
		return false
	}
	n := min(len(q.waiting), q.model.Batch)
	batch := slices.Clone(q.waiting[:n])
	q.waiting = slices.Delete(q.waiting, 0, n)
	if best.flying == 0 {
		best.busy.start()
	}
	best.flying++
	best.batches <- batch
	q.inFlight++
	q.counts.Batches++
	return true
}

// serve evaluates batches on a line until it is closed.
func (d *Dispatcher) serve(q *queue, l *line) error {
	for batch := range l.batches {
		err := goroutine.Catch(func() error { return l.evaluator.Evaluate(d.ctx, batch) })
		d.deliver(q, l, batch, err)
	}
	return nil
}

// deliver wakes the games that wait for a batch.
func (d *Dispatcher) deliver(q *queue, l *line, batch []*Question, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	q.inFlight--
	l.flying--
	if l.flying == 0 {
		l.busy.stop()
	}
	if err != nil {
		d.fail(explainAnswer(err, batch))
		err = d.err
	}
	for _, question := range batch {
		if !question.left {
			d.running++
			q.counts.Evaluations++
			question.done <- err
		}
	}
	d.dispatch()
}

// fail ends the evaluation of all questions. The caller holds the lock.
func (d *Dispatcher) fail(err error) {
	if d.err != nil {
		return
	}
	d.err = err
	close(d.failed)
	for _, q := range d.queues {
		for _, question := range q.waiting {
			d.running++
			question.done <- err
		}
		q.waiting = nil
	}
}

// Failed returns a channel that is closed when no questions are answered any more: Err says why.
func (d *Dispatcher) Failed() <-chan struct{} {
	if d == nil {
		return nil
	}
	return d.failed
}

// Err returns why no questions are answered any more, nil if they are.
func (d *Dispatcher) Err() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.err
}
