package workers

import (
	"context"
	"errors"

	"selfplay/engine"
)

// inFlight is the number of games per worker that one call of Play requests ahead of the
// sink. It is large enough that a long game at the head does not idle the other workers.
const inFlight = 4

// Games returns n consecutive game numbers, starting with first.
func Games(first, n uint64) []uint64 {
	numbers := make([]uint64, n)
	for i := range numbers {
		numbers[i] = first + uint64(i)
	}
	return numbers
}

// Play plays the games with the given numbers, which must be ascending.
//
// Play passes each game to journal, which may be nil, as soon as it ends, and to sink in the
// order of their numbers. Both calls run on the calling goroutine. A record belongs to the
// pool again when sink returns. Games under way go on from what the journal has of them, and
// the workers pass slow decisions to it (see journal.go).
//
// Play ends at the first error: of journal, of sink, of a game when it is the next for
// sink, the cause of ctx's cancellation, or ErrStopped. After a failure of journal or
// sink, Play passes no more games to either and returns that error. In all other cases every
// game that ended has been passed to journal. ErrStopped lets started games end, or their
// decision if they are slow and in a journal; other errors abort the games in flight with
// their searches. Either way, no worker holds a game of this call when Play returns.
func (p *Pool) Play(ctx context.Context, games []uint64, journal engine.Journal, sink func(*engine.Record) error) error {
	return p.deliver(ctx, games, nil, journal, sink)
}

// deliver is Play, or Rescore of the games of a source.
func (p *Pool) deliver(ctx context.Context, games []uint64, source RecordSource, journal engine.Journal, sink func(*engine.Record) error) error {
	p.offer(true)
	inner, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	size := min(len(games), inFlight*p.size)
	b := &batch{
		pool: p, games: games, source: source, journal: journal, sink: sink,
		reorder: make([]*promise, size), done: make(chan *promise, size), offering: true,
	}
	err := failureOf(b.run(inner))
	b.offer(false)
	stopped := errors.Is(err, ErrStopped)
	if !stopped {
		cancel(nil) // aborts the games in flight
	}
	drainErr := b.drain()
	if drainErr != nil && (stopped || ctx.Err() != nil) {
		return drainErr // a write error outranks the stop request
	}
	return errors.Join(err, drainErr)
}

// batch is the state of one call of Play. The calling goroutine owns it, the promises it
// acquired included. It lends a promise to a worker through Pool.jobs and gets it back
// through done. The number of promises on loan never exceeds the capacity of done.
type batch struct {
	pool     *Pool
	games    []uint64
	source   RecordSource   // nil if games are played
	journal  engine.Journal // nil for none
	sink     func(*engine.Record) error
	offering bool          // see Pool.offer
	failed   bool          // journal or sink: neither gets more games
	reorder  []*promise    // games that wait for an earlier one: a ring buffer by index
	done     chan *promise // from the workers, played or failed

	requested, returned, delivered int // games sent to jobs, received from done, passed to sink
}

// run requests games and delivers them until all are delivered or an error occurs.
func (b *batch) run(ctx context.Context) error {
	stopped := b.pool.stopped
	var failed <-chan struct{}
	if d := b.pool.dispatcher; d != nil {
		failed = d.failed
	}
	next, err := b.promise(ctx, 0)
	if err != nil {
		return err
	}
	for b.delivered < len(b.games) {
		jobs := b.pool.jobs
		switch {
		case stopped == nil && b.returned == b.requested:
			return ErrStopped
		case stopped == nil, b.requested == len(b.games), b.requested == b.delivered+len(b.reorder):
			jobs = nil // no game left to request, or no room in reorder until the head returns
		}
		b.offer(jobs != nil)
		select {
		case jobs <- next:
			b.requested++
			b.pool.handOut()
			if next, err = b.promise(ctx, b.requested); err != nil {
				return err
			}
		case pr := <-b.done:
			if err := b.receive(pr); err != nil {
				return err
			}
		case <-stopped:
			stopped = nil
		case <-failed:
			return b.pool.dispatcher.failure()
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return nil
}

// offer tells the pool whether the batch has a game to hand out.
func (b *batch) offer(has bool) {
	if has != b.offering {
		b.offering = has
		b.pool.offer(has)
	}
}

// promise returns the promise of game i of the batch, with its record if there is a source. It
// returns nil after the last game.
func (b *batch) promise(ctx context.Context, i int) (*promise, error) {
	if i == len(b.games) {
		return nil, nil
	}
	pr := b.pool.acquire()
	pr.ctx, pr.index, pr.game, pr.journal, pr.done = ctx, i, b.games[i], b.journal, b.done
	if b.source == nil {
		return pr, nil
	}
	return pr, b.source(pr.game, &pr.rec)
}

// receive takes a promise back and delivers the games whose predecessors are delivered.
func (b *batch) receive(pr *promise) error {
	if err := b.report(pr); err != nil {
		return err
	}
	b.reorder[pr.index%len(b.reorder)] = pr
	for {
		head := &b.reorder[b.delivered%len(b.reorder)]
		switch pr := *head; {
		case pr == nil:
			return nil
		case pr.err != nil:
			return pr.err
		default:
			b.pool.meter.addCosts(&pr.costs)
			if err := b.sink(&pr.rec); err != nil {
				b.failed = true
				return err
			}
			b.pool.release(pr)
		}
		*head = nil
		b.delivered++
	}
}

// report counts a returned promise and passes its game to the journal.
func (b *batch) report(pr *promise) (err error) {
	b.returned++
	if pr.err == nil && b.journal != nil && !b.failed {
		err = b.journal.Finish(&pr.rec)
		b.failed = err != nil
	}
	return err
}

// drain waits until the workers returned all promises, and reports the finished games.
func (b *batch) drain() (err error) {
	for b.returned < b.requested {
		err = errors.Join(err, b.report(<-b.done))
	}
	return err
}
