package workers

import (
	"context"
	"errors"

	"selfplay/engine"
)

// inFlight is how many games one call of Play has under way for each worker:
// enough that a long game at the head does not leave the others idle.
const inFlight = 4

// Games returns the numbers of n games from first on.
func Games(first, n uint64) []uint64 {
	list := make([]uint64, n)
	for i := range list {
		list[i] = first + uint64(i)
	}
	return list
}

// Play plays games, whose numbers ascend. Each is told to finished, which may be nil,
// as soon as it ends, and handed to sink when all before it were, both on the calling
// goroutine. A record belongs to the pool again when sink returns. Play ends at the
// first error: that of finished or sink, of a game when its turn comes, the cause for
// which ctx was cancelled, or ErrStopped. Whatever game was finished then was told to
// finished, unless that or sink failed: neither is called after it did, and what it said
// is what Play returns. Only after ErrStopped are there none under way that are
// abandoned.
func (p *Pool) Play(ctx context.Context, games []uint64, finished, sink func(*engine.Record) error) error {
	inner, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	size := min(len(games), inFlight*p.size)
	b := &batch{
		pool: p, games: games, finished: finished, sink: sink,
		window: make([]*promise, size), back: make(chan *promise, size),
	}
	err := b.play(inner)
	stopped := errors.Is(err, ErrStopped)
	if !stopped {
		cancel(nil) // what is under way ends at its next ply
	}
	lost := b.drain()
	if lost != nil && (stopped || ctx.Err() != nil) {
		return lost // which is more than to be stopped
	}
	return errors.Join(err, lost)
}

// batch is the games of one call of Play.
type batch struct {
	pool           *Pool
	games          []uint64
	finished, sink func(*engine.Record) error
	window         []*promise    // those that came back out of turn, by game
	back           chan *promise // they come when they are played, or are not to be

	asked, came, taken int // games asked for; of those, the ones that came back, and that sink got
}

func (b *batch) play(ctx context.Context) error {
	stopped := b.pool.stopped
	next := b.promise(ctx, 0)
	for b.taken < len(b.games) {
		ask := b.pool.jobs
		switch {
		case stopped == nil && b.came == b.asked:
			return ErrStopped
		case stopped == nil, b.asked == len(b.games), b.asked == b.taken+len(b.window):
			ask = nil // nothing to ask for, or no room: the head must come first
		}
		select {
		case ask <- next:
			b.asked++
			next = b.promise(ctx, b.asked)
		case j := <-b.back:
			if err := b.take(j); err != nil {
				return err
			}
		case <-stopped:
			stopped = nil
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return nil
}

// promise returns a new one for game i of the batch, nil behind the last.
func (b *batch) promise(ctx context.Context, i int) *promise {
	if i == len(b.games) {
		return nil
	}
	j := b.pool.promise()
	j.ctx, j.index, j.game, j.back = ctx, i, b.games[i], b.back
	return j
}

// take takes a promise back and hands on the games whose turn it is.
func (b *batch) take(j *promise) error {
	if err := b.tell(j); err != nil {
		return err
	}
	b.window[j.index%len(b.window)] = j
	for {
		head := &b.window[b.taken%len(b.window)]
		switch j := *head; {
		case j == nil:
			return nil
		case j.err != nil:
			return j.err
		default:
			if err := b.sink(&j.rec); err != nil {
				b.finished = nil
				return err
			}
			b.pool.release(j)
		}
		*head = nil
		b.taken++
	}
}

// tell tells finished of a game that came back.
func (b *batch) tell(j *promise) (err error) {
	b.came++
	if j.err == nil && b.finished != nil {
		if err = b.finished(&j.rec); err != nil {
			b.finished = nil
		}
	}
	return err
}

// drain waits for the games that are under way.
func (b *batch) drain() (err error) {
	for b.came < b.asked {
		err = errors.Join(err, b.tell(<-b.back))
	}
	return err
}
