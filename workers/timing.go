package workers

import (
	"math"
	"sync"
	"time"
)

// Timing says how long the finished games of a pool took their workers. No game depends on
// it.
type Timing struct {
	Games   uint64
	Total   time.Duration // of all games, each by one worker
	Longest time.Duration // of one game

	squares float64 // the sum of the squares of the times, in seconds
}

// Mean returns the average time of a game, 0 without games.
func (t Timing) Mean() time.Duration {
	if t.Games == 0 {
		return 0
	}
	return t.Total / time.Duration(t.Games)
}

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

// clock measures games. Workers share it.
type clock struct {
	mu     sync.Mutex
	timing Timing
	busy   int // workers that play a game now
}

// start begins to measure a game. The worker calls stop with the time that it returns.
func (c *clock) start() (begin time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.busy++
	return time.Now()
}

// stop ends the measurement of a game. An abandoned game does not count.
func (c *clock) stop(begin time.Time, finished bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.busy--
	if finished {
		c.timing.add(time.Since(begin))
	}
}

// Timing returns how long the games took that the pool finished.
func (p *Pool) Timing() Timing {
	p.clock.mu.Lock()
	defer p.clock.mu.Unlock()
	return p.clock.timing
}

// Busy returns the number of workers that play a game now.
func (p *Pool) Busy() int {
	p.clock.mu.Lock()
	defer p.clock.mu.Unlock()
	return p.clock.busy
}
