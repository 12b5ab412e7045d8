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
