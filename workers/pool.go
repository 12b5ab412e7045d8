// Package workers plays games. A Series says what is played: a game, its
// players and a seed. Game i of a series is a function of the series and of i,
// and of nothing else: not of the worker that plays it, nor of what that worker
// played before.
//
// A Pool is some goroutines that play games of one series, each on a position
// of its own that it keeps for life. Any number of goroutines ask the pool for
// games with Play; each of them is told of its own as they are finished, and gets
// them in the order of their numbers. What comes out is records: this package
// knows nothing of rows or files.
//
//	pool.go    the goroutines
//	batch.go   games that were asked for together, in order
//	game.go    one game, from its seed to its record
//	player.go  who decides: the list of players and how they are named
//	param.go   their parameters
//	random.go  the random player
//	think.go   players that search
//	opening.go, explore.go, adjudicate.go  what happens besides their decisions
//	settings.go  how a plan names that, and restore.go back from there
//	seed.go    where a game's randomness comes from
package workers

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"selfplay/encode"
	"selfplay/engine"
)

// Series is what a pool plays.
type Series struct {
	Game     encode.Game
	Variant  string
	Players  [2]PlayerSpec // who plays First and Second
	Seed     uint64
	MaxPlies int // decisions after which a game is cut off; 0 means the game's default

	Opening      Opening
	Exploration  Exploration
	Adjudication Adjudication
}

// Searches reports whether any decision comes from a search; then records keep what
// searches say.
func (s *Series) Searches() bool { return s.Players[0].Searches() || s.Players[1].Searches() }

// Pool plays games of one series on a fixed number of goroutines. Its methods
// may be called from any goroutine.
type Pool struct {
	series *Series
	size   int
	jobs   chan *promise
	group  errgroup.Group

	// Promises that nobody needs are kept for the memory of their records. All batches
	// share them: of the games that each may have ahead few are under way when there are
	// many batches.
	mu   sync.Mutex
	free []*promise

	games, plies atomic.Uint64

	stop    sync.Once
	stopped chan struct{} // closed: no game is begun any more
}

// ErrStopped: games that were asked for are not played, since the pool was stopped.
var ErrStopped = errors.New("no more games are played")

// promise is a game that was asked for, and later its record. Whoever asked owns
// it, except between its way into jobs and back.
type promise struct {
	ctx   context.Context
	index int // in the batch
	game  uint64
	rec   engine.Record
	err   error
	back  chan<- *promise // has room for it: a worker never waits for the caller
}

// Start returns a pool of size workers that plays s; 0 means as many as Go runs
// threads. Close it when no Play is under way any more.
func Start(s Series, size int) *Pool {
	if size <= 0 {
		size = runtime.GOMAXPROCS(0)
	}
	if s.MaxPlies == 0 {
		s.MaxPlies = s.Game.MaxPlies
	}
	p := &Pool{series: &s, size: size, jobs: make(chan *promise, size), stopped: make(chan struct{})}
	for range size {
		p.group.Go(p.work)
	}
	return p
}

// promise returns one that nobody has.
func (p *Pool) promise() *promise {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := len(p.free)
	if n == 0 {
		return new(promise)
	}
	j := p.free[n-1]
	p.free = p.free[:n-1]
	return j
}

// release takes a promise back whose record nobody reads any more.
func (p *Pool) release(j *promise) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.free = append(p.free, j)
}

// Close ends the workers and waits for them.
func (p *Pool) Close() {
	close(p.jobs)
	p.group.Wait() // no worker returns an error: each game keeps its own
}

// Stop lets no game begin any more. Those under way are played to their end; then each
// Play that lacks games returns ErrStopped. It may be called at any time, and does not
// wait.
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

// Progress returns how many games the pool has finished, and their plies.
func (p *Pool) Progress() (games, plies uint64) { return p.games.Load(), p.plies.Load() }

// work plays games until the pool is closed.
func (p *Pool) work() error {
	w := newWorker(p.series)
	for j := range p.jobs {
		j.err = ErrStopped
		if !p.isStopped() {
			j.err = w.play(j.ctx, j.game, &j.rec)
		}
		if j.err == nil {
			p.games.Add(1)
			p.plies.Add(uint64(len(j.rec.Actions)))
		}
		j.back <- j
	}
	return nil
}
