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
	CPU       int64  // nanoseconds, by the clock of the series or of an External
}

// add counts a decision.
func (c *Cost) add(cpu int64, d *Decision) {
	c.Decisions++
	c.Nodes += uint64(d.Nodes)
	c.CPU += cpu
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
		sum.Decisions, sum.Nodes, sum.CPU = sum.Decisions+c.Decisions, sum.Nodes+c.Nodes, sum.CPU+c.CPU
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
