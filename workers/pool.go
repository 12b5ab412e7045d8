package workers

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"selfplay/internal/goroutine"
	"selfplay/workers/batching"
)

// Pool plays games of one series on a fixed number of worker goroutines. Its methods are
// safe for concurrent use, except that Close must not overlap a Play.
type Pool struct {
	series *Series
	size   int       // number of workers
	jobs   chan *job // from Play to the workers
	group  goroutine.Group

	// free holds unused jobs, to reuse the memory of their records. All calls of Play share
	// it: with many calls, each has only a few of its games in flight.
	mu   sync.Mutex
	free []*job

	games, plies atomic.Uint64 // see Progress
	meter        meter

	dispatcher *batching.Dispatcher // nil unless a player asks a model

	stop    sync.Once
	stopped chan struct{} // closed by Stop: workers start no more games
}

// Start starts a pool of size workers; size 0 means GOMAXPROCS. The caller must call
// Close when no Play is running any more.
func Start(s Series, size int) *Pool {
	size = poolSize(size)
	if s.MaxPlies == 0 {
		s.MaxPlies = s.Game.MaxPlies
	}
	p := &Pool{
		series: &s, size: size, jobs: make(chan *job, size), group: goroutine.New(),
		dispatcher: batching.NewDispatcher(s.models()), stopped: make(chan struct{}),
	}
	for range size {
		p.group.Go(p.work)
	}
	return p
}

// acquire returns a job for the caller to own, reused if possible.
func (p *Pool) acquire() *job {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := len(p.free)
	if n == 0 {
		return new(job)
	}
	j := p.free[n-1]
	p.free = p.free[:n-1]
	return j
}

// release returns a job for reuse. The caller must not read its record any more.
func (p *Pool) release(j *job) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.free = append(p.free, j)
}

// Close ends the workers and waits for them.
func (p *Pool) Close() {
	close(p.jobs)
	_ = p.group.Wait() // workers return no errors: errors belong to games
	p.dispatcher.Close()
}

// Stop prevents further games from starting and returns without waiting. Games in
// flight are played to their end; those with slow decisions that a journal keeps end after
// the next one. Then every Play that did not get all its games returns ErrStopped. Stop may
// be called at any time and more than once.
func (p *Pool) Stop() { p.stop.Do(func() { close(p.stopped) }) }

// isStopped reports whether Stop was called.
func (p *Pool) isStopped() bool {
	select {
	case <-p.stopped:
		return true
	default:
		return false
	}
}

// AwaitIdle waits until a worker has no game and no Play has one for it: then the next shard may begin, so that
// the batches of a model stay full. It returns false when ctx ends. Without a model it returns only when ctx
// ends. One goroutine may wait at a time.
func (p *Pool) AwaitIdle(ctx context.Context) bool { return p.dispatcher.AwaitIdle(ctx) }

// Models returns how much the models of the players were asked so far.
func (p *Pool) Models() []ModelCounts { return p.dispatcher.Counts() }

// Progress returns the number of games that the pool finished, and of their plies with the slow ones of games under
// way.
func (p *Pool) Progress() (games, plies uint64) { return p.games.Load(), p.plies.Load() }

// work is a worker goroutine: it makes records until jobs is closed.
func (p *Pool) work() error {
	w := newWorker(p.series)
	w.plies, w.dispatcher, w.stopped = &p.plies, p.dispatcher, p.stopped
	defer w.close()
	for isFirst := true; ; isFirst = false {
		j := p.next(isFirst)
		if j == nil {
			return nil
		}
		j.err = ErrStopped
		if !p.isStopped() {
			begin := p.meter.start()
			j.err = p.makeRecord(w, j)
			j.costs = w.costs
			p.meter.stop(begin, j.err == nil)
		}
		if j.err == nil {
			p.games.Add(1)
			p.plies.Add(uint64(len(j.rec.Actions)) - w.counted)
		}
		j.done <- j
	}
}

// next returns the next game, or nil when the pool is closed. isFirst: the worker had no game before.
func (p *Pool) next(isFirst bool) *job {
	if p.dispatcher == nil {
		return <-p.jobs
	}
	if !isFirst {
		select {
		case j := <-p.jobs:
			p.dispatcher.Take(false)
			return j
		default:
		}
	}
	p.dispatcher.Rest(!isFirst)
	j := <-p.jobs
	if j != nil {
		p.dispatcher.Take(true)
	}
	return j
}

// makeRecord makes a record on one thread, if the pool measures decisions: the clock is that of a
// thread. Workers without a game hold none.
func (p *Pool) makeRecord(w *worker, j *job) error {
	if p.series.Clock != nil {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
	}
	return w.makeRecord(j)
}

// WorkerTime returns how long the games took their workers that the pool finished. No game depends on it.
func (p *Pool) WorkerTime() time.Duration {
	p.meter.mu.Lock()
	defer p.meter.mu.Unlock()
	return p.meter.finished
}

// Busy returns the number of workers that play a game now.
func (p *Pool) Busy() int {
	p.meter.mu.Lock()
	defer p.meter.mu.Unlock()
	return p.meter.busy
}

// Costs returns what the decisions of the two players of the series cost in all games that
// Play has passed to a sink, the current one included. Without a clock in the series they
// are zero.
func (p *Pool) Costs() [2]Cost {
	p.meter.mu.Lock()
	defer p.meter.mu.Unlock()
	return p.meter.costs
}
