package workers

import (
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

// meter measures the games of a pool. Workers share it.
type meter struct {
	mu       sync.Mutex
	finished time.Duration // of all finished games, each by one worker
	busy     int           // workers that play a game now
	costs    [2]Cost       // by player
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
		m.finished += time.Since(begin)
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
	FullCPU                      int64
	FullBusy                     time.Duration

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
		c.CPU, c.Busy = q.used()
		list = append(list, c)
	}
	return list
}

// used returns the CPU time and the busy time of the evaluators.
func (q *queue) used() (cpu int64, busy time.Duration) {
	for _, l := range q.lines {
		cpu += l.evaluator.CPU() - l.usedCPU
		busy += l.busy.look()
	}
	return cpu, busy
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
