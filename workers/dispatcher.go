package workers

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"selfplay/internal/goroutine"
)

// dispatcher collects the questions of the games of a pool in batches. A batch is sent when it is full.
// If every live game waits, a batch that is not full is sent too, but only to an evaluator that has
// nothing to do: behind another batch it would wait anyway and may still grow.
type dispatcher struct {
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
	counts  ModelCounts

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

// batchesInFlight is the number of batches sent to an evaluator before it answers: one that it evaluates,
// and one that is on its way.
const batchesInFlight = 2

func newDispatcher(models []*Model) *dispatcher {
	d := &dispatcher{wake: make(chan struct{}, 1), failed: make(chan struct{}), group: goroutine.New()}
	d.ctx, d.cancel = context.WithCancel(context.Background())
	for _, m := range models {
		q := &queue{model: m}
		for _, e := range m.Evaluators {
			l := &line{evaluator: e, usedCPU: e.CPU(), batches: make(chan []*Question, batchesInFlight)}
			q.lines = append(q.lines, l)
			for range batchesInFlight {
				d.group.Go(func() error { return d.serve(q, l) })
			}
		}
		d.queues = append(d.queues, q)
	}
	return d
}

// close ends the goroutines. No game may wait any more.
func (d *dispatcher) close() {
	d.cancel()
	for _, q := range d.queues {
		for _, l := range q.lines {
			close(l.batches)
		}
	}
	_ = d.group.Wait() // errors belong to games
}

// take counts a game that a worker takes. wasIdle: it had no game before.
func (d *dispatcher) take(wasIdle bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.handed--
	if wasIdle {
		d.idle--
		d.running++
	}
}

// rest counts a worker without a game.
func (d *dispatcher) rest(wasRunning bool) {
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

// isIdle reports whether a worker has no game, and will get none. The caller holds the lock.
func (d *dispatcher) isIdle() bool { return d.idle > max(d.handed, 0) && d.offering == 0 }

func (d *dispatcher) hasIdle() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.isIdle()
}

// wakeIfIdle wakes AwaitIdle, which looks again. The caller holds the lock.
func (d *dispatcher) wakeIfIdle() {
	if !d.isIdle() {
		return
	}
	select {
	case d.wake <- struct{}{}:
	default: // it has been woken
	}
}

// measureFull notes what was asked up to now, as long as every worker had a game.
func (d *dispatcher) measureFull() {
	for _, q := range d.queues {
		q.counts.FullEvaluations, q.counts.FullBatches = q.counts.Evaluations, q.counts.Batches-q.inFlight
		q.counts.FullCPU, q.counts.FullBusy = q.used()
	}
}

// allWait reports whether every live game waits for an answer. A game that an idle worker is about to take is
// live too.
func (d *dispatcher) allWait() bool { return d.running == 0 && min(d.idle, d.handed) <= 0 }

// ask adds a question of a game, which then waits for q.done.
func (d *dispatcher) ask(m *Model, q *Question) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.err != nil {
		return d.err
	}
	queue := d.queueOf(m)
	queue.waiting = append(queue.waiting, q)
	d.running--
	if len(queue.waiting) >= m.Batch || d.allWait() {
		d.dispatch()
	}
	return nil
}

func (d *dispatcher) queueOf(m *Model) *queue {
	for _, q := range d.queues {
		if q.model == m {
			return q
		}
	}
	panic("workers: a model that no player of the series has")
}

// dispatch sends the batches that are to be sent now.
func (d *dispatcher) dispatch() {
	for _, q := range d.queues {
		for len(q.waiting) >= q.model.Batch && q.send(batchesInFlight) {
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
func (d *dispatcher) serve(q *queue, l *line) error {
	for batch := range l.batches {
		err := goroutine.Catch(func() error { return l.evaluator.Evaluate(d.ctx, batch) })
		d.deliver(q, l, batch, err)
	}
	return nil
}

// deliver wakes the games that wait for a batch.
func (d *dispatcher) deliver(q *queue, l *line, batch []*Question, err error) {
	d.mu.Lock()
	q.inFlight--
	if l.flying--; l.flying == 0 {
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
	d.mu.Unlock()
}

// fail ends the evaluation of all questions. The caller holds the lock.
func (d *dispatcher) fail(err error) {
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

// failureOf returns the failure of a model in place of the error of a game that follows from it.
func failureOf(err error) error {
	var failure *ModelError
	if errors.As(err, &failure) {
		return failure
	}
	return err
}

// failure returns why no questions are answered any more.
func (d *dispatcher) failure() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.err
}

// abandon ends the wait of a game for its question.
func (d *dispatcher) abandon(q *Question) {
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

// errLeft ends the wait of a game whose context has ended. The worker reports the cause.
var errLeft = errors.New("the game waits no longer")

// ModelError says that a model or an engine of the user gives no answers any more. A run that it ends can be resumed.
type ModelError struct{ Err error }

func (e *ModelError) Error() string { return e.Err.Error() }

func (e *ModelError) Unwrap() error { return e.Err }

// explainAnswer names the position at fault, if there is one. The games of the batch wait, so their positions rest.
func explainAnswer(err error, batch []*Question) error {
	var wrong *WrongAnswer
	if errors.As(err, &wrong) && wrong.Question >= 0 {
		if q := batch[wrong.Question]; !q.left {
			return &ModelError{fmt.Errorf("position %q: %w", q.pos, err)}
		}
	}
	return &ModelError{err}
}
