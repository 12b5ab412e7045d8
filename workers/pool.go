package workers

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"sync/atomic"

	"selfplay/encode"
	"selfplay/engine"
	"selfplay/internal/goroutine"
)

// Series describes the games that a pool plays.
type Series struct {
	Game     encode.Game
	Variant  string
	Players  [2]PlayerSpec // by side: First and Second
	Seed     uint64
	MaxPlies int // ply limit of a game, opening included; 0 means the game's default

	Opening      Opening
	Exploration  Exploration
	Adjudication Adjudication

	// Pairs makes games 2i and 2i+1 a pair, for matches: both have the same opening and the
	// same random source, and the players swap sides in the second one. Plans have no pairs,
	// so Settings does not mention them.
	Pairs bool

	// Rescore, if it is set, makes Pool.Rescore search the decisions of finished games again
	// that it chooses. Such a series plays no games.
	Rescore *Selection
	// KeepOld keeps what Rescore replaces in the records.
	KeepOld bool

	// Clock returns the CPU time of the calling thread in nanoseconds. If it is set, the
	// pool measures decisions, see Costs. Nothing else depends on it.
	Clock func() int64
}

// Searches reports whether any decision may come from a search. Records then contain
// scores, nodes and policies.
func (s *Series) Searches() bool { return s.Players[0].Searches() || s.Players[1].Searches() }

// Caps reports whether some searches are cheap: those have no policy in the records.
func (s *Series) Caps() bool { return s.Players[0].Caps() || s.Players[1].Caps() }

// Memory returns the most bytes of the tables and trees of the players of a pool of size workers; size 0
// means GOMAXPROCS.
func (s *Series) Memory(size int) uint64 {
	return uint64(poolSize(size)) * (s.Players[0].Memory() + s.Players[1].Memory())
}

// poolSize returns the number of workers of a pool that is asked for size.
func poolSize(size int) int {
	if size <= 0 {
		return runtime.GOMAXPROCS(0)
	}
	return size
}

// Model returns the model of what the scores of the games are worth, nil if none is fitted
// to such games.
func (s *Series) Model() *encode.WDL {
	a, b, adjudication := s.Players[0].components, s.Players[1].components, s.Adjudication
	if len(a) != 1 || len(b) != 1 || a[0].Games != b[0].Games || adjudication.Draw.Plies > 0 {
		return nil
	}
	games := a[0].Games
	games.Variant = s.Variant
	games.Explored = s.Exploration.Moves > 0
	games.WinScore, games.WinPlies = adjudication.Win.Score, adjudication.Win.Plies
	return s.Game.ModelOf(games)
}

// Pool plays games of one series on a fixed number of worker goroutines. Its methods are
// safe for concurrent use, except that Close must not overlap a Play.
type Pool struct {
	series *Series
	size   int           // number of workers
	jobs   chan *promise // from Play to the workers
	group  goroutine.Group

	// free holds unused promises, to reuse the memory of their records. All batches share
	// it: with many batches, each has only a few of its games in flight.
	mu   sync.Mutex
	free []*promise

	games, plies atomic.Uint64 // finished so far
	meter        meter

	dispatcher *dispatcher // nil unless a player asks a model

	stop    sync.Once
	stopped chan struct{} // closed by Stop: workers start no more games
}

// ErrStopped is the error of a Play that did not get all its games because of Stop.
var ErrStopped = errors.New("the pool is stopped: no more games are played")

// promise is a requested game and later its record. A batch owns it, except between
// sending it to jobs and receiving it from done, when a worker owns it.
type promise struct {
	ctx     context.Context
	index   int // in the batch
	game    uint64
	journal engine.Journal // nil for none
	rec     engine.Record
	costs   [2]Cost // by player
	err     error
	done    chan<- *promise // buffered for all promises of a batch: a worker never blocks on it
}

// Start starts a pool of size workers; size 0 means GOMAXPROCS. The caller must call
// Close when no Play is running any more.
func Start(s Series, size int) *Pool {
	size = poolSize(size)
	if s.MaxPlies == 0 {
		s.MaxPlies = s.Game.MaxPlies
	}
	p := &Pool{series: &s, size: size, jobs: make(chan *promise, size), group: goroutine.New(), stopped: make(chan struct{})}
	if models := s.models(); len(models) > 0 {
		p.dispatcher = newDispatcher(models)
	}
	for range size {
		p.group.Go(p.work)
	}
	return p
}

// acquire returns a promise for the caller to own, reused if possible.
func (p *Pool) acquire() *promise {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := len(p.free)
	if n == 0 {
		return new(promise)
	}
	pr := p.free[n-1]
	p.free = p.free[:n-1]
	return pr
}

// release returns a promise for reuse. The caller must not read its record any more.
func (p *Pool) release(pr *promise) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.free = append(p.free, pr)
}

// Close ends the workers and waits for them.
func (p *Pool) Close() {
	close(p.jobs)
	_ = p.group.Wait() // workers return no errors: errors belong to games
	if p.dispatcher != nil {
		p.dispatcher.close()
	}
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

// Progress returns the number of games that the pool finished and of their plies.
func (p *Pool) Progress() (games, plies uint64) { return p.games.Load(), p.plies.Load() }

// work is a worker goroutine: it makes records until jobs is closed.
func (p *Pool) work() error {
	w := newWorker(p.series)
	w.dispatcher, w.stopped = p.dispatcher, p.stopped
	defer w.close()
	for isFirst := true; ; isFirst = false {
		pr := p.next(isFirst)
		if pr == nil {
			return nil
		}
		pr.err = ErrStopped
		if !p.isStopped() {
			begin := p.meter.start()
			pr.err = p.makeRecord(w, pr)
			pr.costs = w.costs
			p.meter.stop(begin, pr.err == nil)
		}
		if pr.err == nil {
			p.games.Add(1)
			p.plies.Add(uint64(len(pr.rec.Actions)))
		}
		pr.done <- pr
	}
}

// makeRecord makes a record on one thread, if the pool measures decisions: the clock is that of a
// thread. Workers without a game hold none.
func (p *Pool) makeRecord(w *worker, pr *promise) error {
	if p.series.Clock != nil {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
	}
	return w.makeRecord(pr)
}
