package workers

import (
	"math"
	"sync"
	"time"
)

// Cost is what the decisions of one player cost.
type Cost struct {
	Decisions uint64
	Nodes     uint64 // of searches
	CPU       int64  // nanoseconds, by the clock of the series or of an External; without that of models
	Asked     uint64 // questions to a model
}

// add counts a decision, before which and after which the meters of its player were read.
func (c *Cost) add(before, after Cost, d *Decision) {
	c.Decisions++
	c.Nodes += uint64(d.Nodes)
	c.CPU += after.CPU - before.CPU
	c.Asked += after.Asked - before.Asked
}

// read reads the meters of a player. Without a clock they stay 0.
func (w *worker) read(p *sidePlayers) Cost {
	if p.clock == nil {
		return Cost{}
	}
	return Cost{CPU: p.clock() + w.skipped, Asked: w.asked}
}

// Timing says how long the finished games of a pool took their workers. No game depends on
// it.
type Timing struct {
	Games   uint64
	Total   time.Duration // of all games, each by one worker
	Longest time.Duration // of one game

	squares float64 // the sum of the squares of the times, in seconds
}

// Mean returns the average time of a game, 0 without games.
func (t Timing) Mean() time.Duration { return t.Total / time.Duration(max(t.Games, 1)) }

// Deviation returns the standard deviation of the times, in seconds. It is 0 for fewer than
// two games.
func (t Timing) Deviation() float64 {
	if t.Games < 2 {
		return 0
	}
	n, sum := float64(t.Games), t.Total.Seconds()
	return math.Sqrt(max(0, t.squares-sum*sum/n) / (n - 1))
}

func (t *Timing) add(d time.Duration) {
	t.Games++
	t.Total += d
	t.Longest = max(t.Longest, d)
	t.squares += d.Seconds() * d.Seconds()
}

// meter measures the games of a pool. Workers share it.
type meter struct {
	mu     sync.Mutex
	timing Timing
	busy   int     // workers that play a game now
	costs  [2]Cost // by player
}

// start begins to measure a game. The worker calls stop with the time that it returns.
func (m *meter) start() (begin time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.busy++
	return time.Now()
}

// stop ends the measurement of a game. An abandoned game does not count.
func (m *meter) stop(begin time.Time, finished bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.busy--
	if finished {
		m.timing.add(time.Since(begin))
	}
}

// addCosts adds the costs of a game.
func (m *meter) addCosts(game *[2]Cost) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for i, c := range game {
		sum := &m.costs[i]
		sum.Decisions, sum.Nodes, sum.CPU, sum.Asked = sum.Decisions+c.Decisions, sum.Nodes+c.Nodes, sum.CPU+c.CPU, sum.Asked+c.Asked
	}
}

// Timing returns how long the games took that the pool finished.
func (p *Pool) Timing() Timing {
	p.meter.mu.Lock()
	defer p.meter.mu.Unlock()
	return p.meter.timing
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

// stopwatch adds up times.
type stopwatch struct {
	total   time.Duration
	running bool
	since   time.Time
}

func (s *stopwatch) start() { s.running, s.since = true, time.Now() }

func (s *stopwatch) stop() { s.total, s.running = s.look(), false }

// look returns the time so far.
func (s *stopwatch) look() time.Duration {
	if s.running {
		return s.total + time.Since(s.since)
	}
	return s.total
}

// ModelCounts say how much a model was asked.
type ModelCounts struct {
	Name                 string
	Evaluations, Batches uint64

	// Of these, those until the last games of the pool: the last moment at which every worker had a game.
	FullEvaluations, FullBatches uint64

	Batch      int
	Evaluators int
	CPU        int64         // of the evaluators for this pool in nanoseconds
	Busy       time.Duration // in which an evaluator had a batch, summed over evaluators
}

// Models returns how much the models of the players were asked so far.
func (p *Pool) Models() (list []ModelCounts) {
	d := p.dispatcher
	if d == nil {
		return nil
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, q := range d.queues {
		c := q.counts
		c.Name, c.Batch, c.Evaluators = q.model.Name, q.model.Batch, len(q.lines)
		for _, l := range q.lines {
			c.CPU += l.evaluator.CPU() - l.usedCPU
			c.Busy += l.busy.look()
		}
		list = append(list, c)
	}
	return list
}

// slowDecision is the time from which on a decision is worth its place in a journal. No byte of a dataset
// depends on it: only how much of a game is played again. Tests change it.
var slowDecision = time.Millisecond

// A decisionTimer tells which decisions of a game are slow.
type decisionTimer struct{ last time.Time }

func (t *decisionTimer) start() { t.last = time.Now() }

// isSlow reports whether the decision since the last call, or since start, was slow.
func (t *decisionTimer) isSlow() bool {
	before := t.last
	t.start()
	return t.last.Sub(before) >= slowDecision
}
