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
	pr := <-p.jobs
	if pr != nil {
		p.dispatcher.take(true)
	}
	return pr
}

// offer says whether a Play has a game to hand out now. One that waits for its first game to end, because it
// holds so many later ones, has none.
func (p *Pool) offer(has bool) {
	d := p.dispatcher
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

// AwaitIdle waits until a worker has no game and no Play has one for it: then the next shard may begin, so that
// the batches of a model stay full. It returns false when ctx ends. Without a model it returns only when ctx
// ends. One goroutine may wait at a time.
func (p *Pool) AwaitIdle(ctx context.Context) bool {
	d := p.dispatcher
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
