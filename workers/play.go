package workers

import (
	"context"
	"errors"

	"selfplay/engine"
	"selfplay/workers/batching"
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
// the workers pass slow decisions to it.
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
	p.dispatcher.Offer(true)
	inner, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	size := min(len(games), inFlight*p.size)
	c := &call{
		pool: p, games: games, source: source, journal: journal, sink: sink,
		reorder: make([]*job, size), done: make(chan *job, size), offering: true,
	}
	err := batching.FailureOf(c.run(inner))
	c.offer(false)
	stopped := errors.Is(err, ErrStopped)
	if !stopped {
		cancel(nil) // aborts the games in flight
	}
	drainErr := c.drain()
	if drainErr != nil && (stopped || ctx.Err() != nil) {
		return drainErr // a write error outranks the stop request
	}
	return errors.Join(err, drainErr)
}

// call is the state of one call of Play. The calling goroutine owns it, the jobs it
// acquired included. It lends a job to a worker through Pool.jobs and gets it back
// through done. The number of jobs on loan never exceeds the capacity of done.
type call struct {
	pool     *Pool
	games    []uint64
	source   RecordSource   // nil if games are played
	journal  engine.Journal // nil for none
	sink     func(*engine.Record) error
	offering bool      // see Dispatcher.Offer
	failed   bool      // journal or sink: neither gets more games
	reorder  []*job    // games that wait for an earlier one: a ring buffer by index
	done     chan *job // from the workers, played or failed

	requested, returned, delivered int // games sent to jobs, received from done, passed to sink
}

// run requests games and delivers them until all are delivered or an error occurs.
func (c *call) run(ctx context.Context) error {
	stopped := c.pool.stopped
	next, err := c.job(ctx, 0)
	if err != nil {
		return err
	}
	for c.delivered < len(c.games) {
		jobs := c.pool.jobs
		switch {
		case stopped == nil && c.returned == c.requested:
			return ErrStopped
		case stopped == nil, c.requested == len(c.games), c.requested == c.delivered+len(c.reorder):
			jobs = nil // no game left to request, or no room in reorder until the head returns
		}
		c.offer(jobs != nil)
		select {
		case jobs <- next:
			c.requested++
			c.pool.dispatcher.HandOut()
			next, err = c.job(ctx, c.requested)
			if err != nil {
				return err
			}
		case j := <-c.done:
			if err := c.receive(j); err != nil {
				return err
			}
		case <-stopped:
			stopped = nil
		case <-c.pool.dispatcher.Failed():
			return c.pool.dispatcher.Err()
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return nil
}

// offer tells the pool whether the call has a game to hand out.
func (c *call) offer(has bool) {
	if has != c.offering {
		c.offering = has
		c.pool.dispatcher.Offer(has)
	}
}

// job returns the job of game i of the call, with its record if there is a source. It
// returns nil after the last game.
func (c *call) job(ctx context.Context, i int) (*job, error) {
	if i == len(c.games) {
		return nil, nil
	}
	j := c.pool.acquire()
	j.ctx, j.index, j.game, j.journal, j.done = ctx, i, c.games[i], c.journal, c.done
	if c.source == nil {
		return j, nil
	}
	return j, c.source(j.game, &j.rec)
}

// receive takes a job back and delivers the games whose predecessors are delivered.
func (c *call) receive(j *job) error {
	if err := c.report(j); err != nil {
		return err
	}
	c.reorder[j.index%len(c.reorder)] = j
	for {
		head := &c.reorder[c.delivered%len(c.reorder)]
		switch j := *head; {
		case j == nil:
			return nil
		case j.err != nil:
			return j.err
		default:
			c.pool.meter.addCosts(&j.costs)
			if err := c.sink(&j.rec); err != nil {
				c.failed = true
				return err
			}
			c.pool.release(j)
		}
		*head = nil
		c.delivered++
	}
}

// report counts a returned job and passes its game to the journal.
func (c *call) report(j *job) (err error) {
	c.returned++
	if j.err == nil && c.journal != nil && !c.failed {
		err = c.journal.Finish(&j.rec)
		c.failed = err != nil
	}
	return err
}

// drain waits until the workers returned all jobs, and reports the finished games.
func (c *call) drain() (err error) {
	for c.returned < c.requested {
		err = errors.Join(err, c.report(<-c.done))
	}
	return err
}
