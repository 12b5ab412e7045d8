package workers

import "context"

// A worker counts as live from the moment it takes a game until it finds no other one. A batch of questions
// does not wait for a worker that has no game.

// handOut counts a game that Play sent to jobs.
func (p *Pool) handOut() {
	if d := p.dispatcher; d != nil {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.handed++
	}
}

// next returns the next game, or nil when the pool is closed. isFirst: the worker had no game before.
func (p *Pool) next(isFirst bool) *promise {
	if p.dispatcher == nil {
		return <-p.jobs
	}
	if !isFirst {
		select {
		case pr := <-p.jobs:
			p.dispatcher.take(false)
			return pr
		default:
		}
	}
	p.dispatcher.rest(!isFirst)
	pr := p.wait()
	if pr != nil {
		p.dispatcher.take(true)
	}
	return pr
}

// wait waits for a game, and says meanwhile that it has none.
func (p *Pool) wait() *promise {
	for {
		select {
		case pr := <-p.jobs:
			return pr
		case p.idle <- struct{}{}:
		}
	}
}

// AwaitIdle waits until a worker has no game although every Play has handed out all of its games: then the
// next shard may begin, so that the batches of a model stay full. It returns false when ctx ends. Without
// a model it returns only when ctx ends.
func (p *Pool) AwaitIdle(ctx context.Context) bool {
	for {
		select {
		case <-ctx.Done():
			return false
		case <-p.idle:
			if p.unrequested.Load() <= 0 {
				return true
			}
		}
	}
}
