package workers

import "sync"

// Cost is what the decisions of one side cost.
type Cost struct {
	Decisions uint64
	Nodes     uint64 // of searches
	CPU       int64  // nanoseconds, by the clock of the series
}

// add counts a decision.
func (c *Cost) add(cpu int64, d *Decision) {
	c.Decisions++
	c.Nodes += uint64(d.Nodes)
	c.CPU += cpu
}

// Plus returns the sum of two costs.
func (c Cost) Plus(other Cost) Cost {
	return Cost{c.Decisions + other.Decisions, c.Nodes + other.Nodes, c.CPU + other.CPU}
}

// costs are the costs of a pool, by side.
type costs struct {
	mu   sync.Mutex
	side [2]Cost
}

// take moves the costs of a worker into the pool.
func (c *costs) take(list *[2]Cost) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for side := range list {
		c.side[side] = c.side[side].Plus(list[side])
	}
	*list = [2]Cost{}
}

// Costs returns what the decisions of First and Second cost so far. Without a clock in
// the series they are zero.
func (p *Pool) Costs() [2]Cost {
	p.costs.mu.Lock()
	defer p.costs.mu.Unlock()
	return p.costs.side
}
